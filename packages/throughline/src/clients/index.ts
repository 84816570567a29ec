/** The official clients of OpenAI and Anthropic: a client whose calls are recorded, and fit the window. */
export type { CallOptions } from '../calls/options.ts'
export { withThroughline } from './with-throughline.ts'
