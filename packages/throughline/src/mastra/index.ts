/** Mastra: a processor that records the model calls of an agent, and keeps their prompts inside the window. */
export {
  type MastraCall,
  type MastraOptions,
  type MastraProcessor,
  throughlineProcessor,
} from './processor.ts'
