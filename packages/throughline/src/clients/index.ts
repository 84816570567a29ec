/** The official clients of OpenAI and Anthropic: a client whose calls are recorded, and fit the window. */
export { type ClientCall, type ClientOptions, withThroughline } from './with-throughline.ts'
