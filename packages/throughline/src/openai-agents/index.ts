/** The OpenAI Agents SDK: a session on the log, and a filter that keeps the model's input inside the window. */
export { type AgentSession, throughlineSession } from './session.ts'
