import { APICallError, RetryError } from 'ai'
import { describe, expect, it } from 'vitest'
import { providerOverflow } from './provider-overflow.ts'

interface Answer {
  readonly status?: number
  readonly body: unknown
}

/** What providers answer, in their words. */
const overflows: readonly (readonly [string, Answer, number | null, number | null])[] = [
  [
    'OpenAI chat',
    openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
      'context_length_exceeded',
    ),
    128_000,
    204_308,
  ],
  [
    'OpenAI chat, with a reply',
    openai(
      "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      'context_length_exceeded',
    ),
    4_097,
    4_120,
  ],
  [
    'OpenAI chat, gpt-5',
    openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens. Please reduce the length of the messages.',
      'context_length_exceeded',
    ),
    272_000,
    477_469,
  ],
  [
    'OpenAI completions',
    openai(
      "This model's maximum context length is 4097 tokens, however you requested 6539 tokens (6283 in your prompt; 256 for the completion). Please reduce your prompt; or completion length.",
      null,
    ),
    4_097,
    6_539,
  ],
  [
    'OpenAI responses',
    openai(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'context_length_exceeded',
    ),
    null,
    null,
  ],
  ['a code without words', openai('', 'context_length_exceeded'), null, null],
  [
    'Azure',
    openai(
      "This model's maximum context length is 16385 tokens. However, your messages resulted in 17098 tokens (16998 in the messages, 100 in the functions). Please reduce the length of the messages or functions.",
      'context_length_exceeded',
    ),
    16_385,
    17_098,
  ],
  ['Anthropic', anthropic('prompt is too long: 209353 tokens > 199999 maximum'), 199_999, 209_353],
  [
    'Anthropic, with the reply',
    anthropic(
      'input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    200_000,
    207_653,
  ],
  [
    'Anthropic, bytes',
    {
      status: 413,
      body: {
        type: 'error',
        error: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
      },
    },
    null,
    null,
  ],
  [
    'Google',
    google(
      'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
    ),
    1_048_576,
    1_200_293,
  ],
  [
    'Google, without its count',
    google('The input token count exceeds the maximum number of tokens allowed (1048576).'),
    1_048_576,
    null,
  ],
  [
    'Google, in a list',
    {
      status: 400,
      body: [
        google('The input token count (25270) exceeds the maximum number of tokens allowed (4000).')
          .body,
      ],
    },
    4_000,
    25_270,
  ],
  [
    'Vertex',
    google(
      'Unable to submit request because the input token count is 40000 but the model only supports up to 32768. Reduce the input token count and try again.',
    ),
    32_768,
    40_000,
  ],
  [
    'Bedrock',
    { status: 400, body: { message: 'Input is too long for requested model.' } },
    null,
    null,
  ],
  [
    'Bedrock, Titan',
    {
      status: 400,
      body: {
        message:
          '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9045 ',
      },
    },
    8_192,
    9_045,
  ],
  [
    'Mistral',
    {
      status: 400,
      body: {
        object: 'error',
        message:
          'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_error',
        code: '3051',
      },
    },
    32_768,
    65_673,
  ],
  [
    'Groq',
    openai('Please reduce the length of the messages or completion.', 'context_length_exceeded'),
    null,
    null,
  ],
  [
    'DeepSeek',
    openai(
      "This model's maximum context length is 131072 tokens. However, you requested 156384 tokens (156384 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
      'invalid_request_error',
    ),
    131_072,
    156_384,
  ],
  [
    'xAI',
    {
      status: 400,
      body: {
        code: 'Client specified an invalid argument',
        error:
          "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    },
    131_072,
    537_812,
  ],
  [
    'OpenRouter',
    openai(
      'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
      400,
    ),
    32_768,
    42_832,
  ],
  [
    'Together',
    {
      status: 422,
      body: {
        error: {
          message:
            'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 65537. Given: 79993 `inputs` tokens and 1024 `max_new_tokens`',
          type: 'invalid_request_error',
        },
      },
    },
    65_537,
    79_993,
  ],
  [
    'Cohere',
    {
      status: 400,
      body: {
        message:
          'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.',
      },
    },
    2_048,
    6_354,
  ],
  [
    'Cohere, by how much',
    {
      status: 400,
      body: {
        message:
          'too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs. The limit for this model is 128000 tokens.',
      },
    },
    128_000,
    null,
  ],
  [
    'Ollama',
    { status: 400, body: { error: 'prompt too long; exceeded max context length by 3842 tokens' } },
    null,
    null,
  ],
  [
    'LM Studio',
    {
      status: 400,
      body: {
        error:
          'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
      },
    },
    4_096,
    13_055,
  ],
  [
    'LM Studio, older',
    {
      status: 400,
      body: {
        error:
          'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
      },
    },
    32_768,
    111_490,
  ],
  [
    'llama.cpp',
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message:
            'the request exceeds the available context size. try increasing the context size or enable context shift',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 14429,
          n_ctx: 8192,
        },
      },
    },
    8_192,
    14_429,
  ],
  [
    'llama.cpp, as a server error',
    {
      status: 500,
      body: {
        error: {
          code: 500,
          message:
            'request (1407 tokens) exceeds the available context size (256 tokens), try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    },
    256,
    1_407,
  ],
  [
    'llama-cpp-python',
    { status: 500, body: { message: 'Requested tokens (2285) exceed context window of 2048' } },
    2_048,
    2_285,
  ],
  [
    'vLLM',
    {
      status: 400,
      body: {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4488 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    4_096,
    5_000,
  ],
  [
    'vLLM, a prompt',
    {
      status: 400,
      body: {
        message:
          'The decoder prompt (length 5120) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
      },
    },
    4_096,
    5_120,
  ],
]

/** What is refused for another reason, in words that are alike. */
const others: readonly (readonly [string, Answer])[] = [
  [
    'a rate of tokens at OpenAI',
    {
      ...openai(
        'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389. The input or output tokens must be reduced in order to run successfully.',
        'rate_limit_exceeded',
      ),
      status: 429,
    },
  ],
  [
    'a rate of tokens at Groq, under 413',
    {
      ...openai(
        'Request too large for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again.',
        'rate_limit_exceeded',
      ),
      status: 413,
    },
  ],
  [
    'a rate at Anthropic',
    {
      status: 429,
      body: {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message:
            'This request would exceed your organization’s rate limit of 40,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.',
        },
      },
    },
  ],
  [
    'a rate at Bedrock',
    { status: 429, body: { message: 'Too many tokens, please wait before trying again.' } },
  ],
  [
    'a quota at Google',
    {
      status: 429,
      body: {
        error: {
          code: 429,
          message:
            'You exceeded your current quota. Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
    },
  ],
  [
    'a wrong key',
    { ...openai('Incorrect API key provided: sk-1.', 'invalid_api_key'), status: 401 },
  ],
  [
    'an unknown model',
    { ...openai('The model `gpt-9` does not exist.', 'model_not_found'), status: 404 },
  ],
  [
    'a reply that is too long by itself',
    openai(
      'max_tokens must be less than or equal to 16384, the maximum value for max_tokens is less than the context_window for this model',
      'invalid_value',
    ),
  ],
  [
    'a broken history',
    openai(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      null,
    ),
  ],
  ['a broken schema', anthropic('tools.0.custom.input_schema: JSON schema is invalid')],
  [
    'a server that is busy',
    {
      status: 529,
      body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    },
  ],
  ['a gateway that gave up', { status: 504, body: 'upstream request timeout' }],
  [
    'a server in trouble',
    { status: 500, body: { error: { message: 'The server had an error.' } } },
  ],
]

describe('a request that was too long', () => {
  it.each(overflows)('is recognised from %s', (_, answer, limitTokens, requestedTokens) => {
    const expected = { limitTokens, requestedTokens }
    expect(providerOverflow(callError(answer))).toEqual(expected)
    expect(providerOverflow(new Error('The call failed.', { cause: callError(answer) }))).toEqual(
      expected,
    )
    // As a stream carries it.
    expect(providerOverflow(answer.body)).toEqual(expected)
    // As clients put it into the words of their own error.
    expect(providerOverflow(new Error(`400 ${JSON.stringify(answer.body)}`))).toEqual(expected)
  })

  it('is recognised through the retries of the AI SDK, where the last one counts', () => {
    const long = callError(anthropic('prompt is too long: 209353 tokens > 199999 maximum'))
    const lost = new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
    const retried = (errors: unknown[]) =>
      new RetryError({ message: 'Failed after 2 attempts.', reason: 'errorNotRetryable', errors })
    expect(providerOverflow(retried([lost, long]))?.limitTokens).toBe(199_999)
    expect(providerOverflow(retried([long, lost]))).toBeNull()
  })
})

describe('another error', () => {
  it.each(others)('is not taken for it: %s', (_, answer) => {
    expect(providerOverflow(callError(answer))).toBeNull()
    expect(providerOverflow(new Error('The call failed.', { cause: callError(answer) }))).toBeNull()
  })

  it.each([
    ['a lost connection', new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })],
    ['a timeout', new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
    ['an abort', new DOMException('This operation was aborted', 'AbortError')],
    ['nothing', undefined],
    ['a number', 400],
    ['an empty object', {}],
  ])('is not taken for it: %s', (_, error) => {
    expect(providerOverflow(error)).toBeNull()
  })

  it('may quote the request, which is ignored', () => {
    const error = new APICallError({
      message: 'Invalid value for temperature.',
      url: 'https://example.test',
      requestBodyValues: { prompt: "This model's maximum context length is 5 tokens" },
      statusCode: 400,
    })
    expect(providerOverflow(error)).toBeNull()
  })

  it('may wrap itself, or throw when it is read', () => {
    const ring: { cause?: unknown } = {}
    ring.cause = ring
    const trap = {
      get message(): string {
        throw new Error('no')
      },
    }
    expect(providerOverflow(ring)).toBeNull()
    expect(providerOverflow(trap)).toBeNull()
  })
})

function callError({ status, body }: Answer): APICallError {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new APICallError({
    message: status === 400 ? 'Bad Request' : 'Failed',
    url: 'https://example.test/v1',
    requestBodyValues: {},
    responseBody: text,
    ...(status === undefined ? {} : { statusCode: status }),
  })
}

function openai(message: string, code: string | number | null): Answer {
  return {
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param: null, code } },
  }
}

function anthropic(message: string): Answer {
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
}

function google(message: string): Answer {
  return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }
}
