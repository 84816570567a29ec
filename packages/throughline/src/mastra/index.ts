/** Mastra: a processor that records the model calls of an agent, and keeps their prompts inside the window. */
export type { CallOptions } from '../calls/options.ts'
export { type MastraProcessor, throughlineProcessor } from './processor.ts'
