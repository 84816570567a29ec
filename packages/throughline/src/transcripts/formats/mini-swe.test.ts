import { describe, expect, it } from 'vitest'
import { goldenOf } from '../items.test-support.ts'
import { samples } from '../samples.test-support.ts'
import { fencedCommands } from './mini-swe.ts'

describe('mini-swe', () => {
  it('turns a fenced command into a call, and the next message into its result', async () => {
    expect(await goldenOf(samples['mini-swe'])).toBe(`
conversation farm-1 {"instanceId":"farm-1","model":"gemini-x"}
farm-1 messages[0] user: Count the rows – alle
farm-1 messages[1] assistant: I look. | call messages[1].command bash {"command":"wc -l rows"} // gemini-x
farm-1 messages[2] tool: result messages[1].command <returncode>0</returncode>
<output>7 rows</output>
`)
  })

  it('reads a trajectory that the tool wrote: failures, refusals, real calls', async () => {
    const usage = { prompt_tokens: 11, completion_tokens: 3 }
    const text = JSON.stringify({
      info: { exit_status: 'Submitted', config: { model: { model_name: 'm' } }, model_stats: {} },
      messages: [
        {
          role: 'assistant',
          content: '```mswea_bash_command\nls\n```',
          extra: { response: { usage } },
        },
        { role: 'user', content: '<returncode>2</returncode>' },
        { role: 'assistant', content: 'a\n```bash\nls\n```\nb\n```bash\npwd\n```' },
        { role: 'user', content: 'One command, please.' },
        { role: 'assistant', content: 'No command.' },
        { role: 'user', content: 'One command, please.' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', function: { name: 'bash', arguments: '{"command":"ls"}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'a' },
        { role: 'exit', content: 'diff' },
      ],
      trajectory_format: 'mini-swe-agent-1',
    })
    expect(await goldenOf(text, { name: 't' })).toBe(`
conversation t {"model":"m","exitStatus":"Submitted"}
t messages[0] assistant: call messages[0].command bash {"command":"ls"} // m 11/3/null/null
t messages[1] tool: error messages[0].command <returncode>2</returncode>
t messages[2] assistant: a | b | call messages[2].command bash {"command":"ls\\npwd"}{"commands":2} // m
t messages[3] tool: error messages[2].command One command, please.
t messages[4] assistant: No command. // m
t messages[5] user: One command, please.
t messages[6] assistant:  | call c bash {"command":"ls"} // m
t messages[7] tool: result c a
t messages[8] user: diff
`)
  })
})

describe('fencedCommands', () => {
  it('returns only closed shell blocks', () => {
    expect(fencedCommands('x ```python\n1\n``` ```bash \nls\n\n``` y')).toEqual({
      commands: ['ls'],
      words: ['x ```python\n1\n```', 'y'],
    })
    expect(fencedCommands('```bash\nls')).toEqual({ commands: [], words: ['```bash\nls'] })
    expect(fencedCommands('```bash\n```')).toEqual({ commands: [''], words: [] })
  })
})
