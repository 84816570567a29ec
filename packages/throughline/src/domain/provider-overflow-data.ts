/** How providers say that a request was too long: codes, statuses and words. */

export const overflowCodes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'model_context_window_exceeded',
  'exceed_context_size_error',
  'context_window_exceeded',
  'contextwindowexceedederror',
  // Anthropic's, for a body of too many bytes: only a smaller request helps here too.
  'request_too_large',
])

/** Keys, money, addresses, rates and servers that are busy or gone. */
export const otherStatuses: ReadonlySet<number> = new Set([
  401, 402, 403, 404, 405, 407, 408, 409, 425, 429, 502, 503, 504, 529,
])

export const otherCodes =
  /rate_?limit|throttl|quota|too_many_requests|overloaded|^abort|timeout|^e(?:conn|notfound|pipe|ai_)|^etimedout|^und_err|authentication|permission/

export const otherWords =
  /rate limit|tokens per (?:min|hour|day)|\b[tr]p[md]\b|too many requests|quota|throttl|too many tokens, please wait/i

// Numbers may be written with separators.
const number = String.raw`(\d[\d,_]*)`

/** Each the words of a provider, as short as they can be without meaning something else. */
export const overflowWords: readonly RegExp[] = [
  // OpenAI, Azure, DeepSeek, OpenRouter, Together, vLLM and what speaks like them.
  /maximum context length (?:is|of) \d/i,
  /context length is only \d/i,
  /exceeds? (?:the |this )?(?:model'?s )?(?:maximum )?context (?:window|length|limit)/i,
  /input tokens exceed the configured limit/i,
  /reduce the length of (?:the messages|either one|your prompt)/i,
  // Anthropic, also through Bedrock and Vertex.
  /prompt is too long/i,
  /exceed context limit/i,
  // Google.
  /input token count.{0,40}exceeds the maximum/i,
  /input token count is \d+ but (?:the )?model only supports/i,
  // Bedrock.
  /input is too long/i,
  /too many input tokens/i,
  // Mistral.
  /too large for model with \d+ maximum context length/i,
  // xAI.
  /maximum prompt length is \d/i,
  // Together and others on text-generation-inference.
  /`inputs` tokens \+ `max_new_tokens` must be <=/i,
  /`inputs` must have less than \d+ tokens/i,
  // Cohere.
  /too many tokens: /i,
  // Ollama.
  /prompt too long; exceeded/i,
  // LM Studio.
  /greater than the context length/i,
  /loaded with context length of only/i,
  /input length \d+ exceeds context length/i,
  // llama.cpp.
  /exceeds the available context size/i,
  /requested tokens \(\d+\) exceed context window/i,
  // vLLM and SGLang, before the chat format.
  /longer than the (?:maximum model length|model'?s context length)/i,
  // Moonshot and MiniMax, often through routers.
  /exceeded model token limit/i,
  /context window exceeds limit/i,
]

export const limitWords: readonly string[] = [
  `maximum context length (?:is|of|\\() ?${number}`,
  `configured limit of ${number}`,
  `> ?${number} maximum`,
  `\\+ ?\\d+ ?> ?${number}`,
  `tokens allowed \\(?${number}`,
  `only supports up to ${number}`,
  `max input tokens: ${number}`,
  `max input length is ${number}`,
  `model with ${number} maximum context length`,
  `maximum prompt length is ${number}`,
  `must be <= ?${number}`,
  `must have less than ${number}`,
  `cannot exceed ${number}`,
  `limit for this model is ${number}`,
  `context length of only ${number}`,
  `context length is only ${number}`,
  `"?n_ctx"?: ?${number}`,
  `exceeds context length ${number}`,
  `available context size \\(${number}`,
  `context window of ${number}`,
  `maximum model length of ${number}`,
  `context length \\(${number}`,
  `token limit: ${number}`,
]

export const requestWords: readonly string[] = [
  `you requested (?:about )?${number} tokens`,
  `resulted in ${number} tokens`,
  `too long: ${number} tokens`,
  `input token count (?:is )?\\(?${number}`,
  `request contains ${number} tokens`,
  `prompt contains ${number} tokens`,
  `(?:request|requested) (?:has|tokens) \\(?${number}`,
  `request \\(${number} tokens`,
  `request input token count: ${number}`,
  `you supplied ${number} tokens`,
  `you passed ${number} input tokens`,
  `given: ${number}`,
  `received ${number}`,
  `n_keep: ?${number}`,
  `"n_prompt_tokens": ?${number}`,
  `keep the first ${number} tokens`,
  `input length ${number} exceeds`,
  `input length \\(${number}`,
  `prompt \\(length ${number}`,
  `input \\(${number} tokens`,
  `\\(requested: ${number}`,
]
