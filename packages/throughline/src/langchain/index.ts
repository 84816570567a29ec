/** LangChain and LangGraph (version 1): a middleware, and a call for graphs of your own. */
export {
  type LangchainCallOptions,
  type LangchainMiddleware,
  type LangchainOptions,
  langchainCall,
  langchainMiddleware,
} from './middleware.ts'
