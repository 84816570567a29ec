import { expect, it } from 'vitest'
import { goldenOf } from '../../packages/throughline/src/transcripts/items.test-support.ts'
import { samples } from '../../packages/throughline/src/transcripts/samples.test-support.ts'

it('reads a tau2-bench simulation, its policy as the system prompt', async () => {
  expect(await goldenOf(samples['tau2-bench'])).toBe(`
conversation a-1 {"system":"Be kind.","agent":"gpt-x","domain":"farm","taskId":"7","reward":0.5}
a-1 simulations[0].messages[0] user: Grüße
`)
})

it('reads a result file of tau2 itself, with calls of the user', async () => {
  const text = JSON.stringify({
    timestamp: 'x',
    info: {
      agent_info: { llm: 'gpt-y' },
      environment_info: { domain_name: 'farm', policy: 'Be firm.' },
    },
    tasks: [{ id: '7', user_scenario: {} }],
    simulations: [
      {
        id: 'b',
        task_id: '7',
        reward_info: { reward: 1 },
        messages: [
          {
            role: 'assistant',
            content: 'Look yourself.',
            usage: { prompt_tokens: 9, completion_tokens: 2 },
          },
          {
            role: 'user',
            tool_calls: [{ id: 'c1', name: 'look', arguments: { n: 1 }, requestor: 'user' }],
          },
          { role: 'tool', id: 'c1', content: 'sheep', requestor: 'user', error: true },
        ],
      },
    ],
  })
  expect(await goldenOf(text)).toBe(`
conversation b {"system":"Be firm.","agent":"gpt-y","domain":"farm","taskId":"7","reward":1}
b simulations[0].messages[0] assistant: Look yourself. // gpt-y 9/2/null/null
b simulations[0].messages[1] user: call c1 look {"n":1}{"requestor":"user"}
b simulations[0].messages[2] tool: error c1 sheep{"requestor":"user"}
`)
})
