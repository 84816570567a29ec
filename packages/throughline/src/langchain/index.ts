/** LangChain and LangGraph (version 1): a middleware, and a call for graphs of your own. */
export type { CallOptions } from '../calls/options.ts'
export { type LangchainMiddleware, langchainCall, langchainMiddleware } from './middleware.ts'
