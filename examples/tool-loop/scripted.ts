/** Options of a client without a key: it lists the files, reads the first, and answers. */
export const scripted = {
  apiKey: 'scripted',
  fetch: async (_url: unknown, init?: { readonly body?: unknown }) => {
    const { messages } = JSON.parse(String(init?.body)) as { readonly messages: readonly Message[] }
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const results = messages.slice(asked).filter(({ role }) => role === 'tool')
    const [file = ''] = (results[0]?.content ?? '')
      .split('\n')
      .filter((name) => name.endsWith('.ts'))
    const message = [
      call(messages.length, 'list_files', { path: '.' }),
      call(messages.length, 'read_file', { path: file }),
      { content: `I read ${file}: it has ${(results[1]?.content ?? '').length} characters.` },
    ][results.length]
    const choice = { index: 0, message: { role: 'assistant', content: null, ...message } }
    return Response.json({ choices: [{ ...choice, finish_reason: 'stop' }] })
  },
}

interface Message {
  readonly role: string
  readonly content: string
}

function call(number: number, name: string, input: object) {
  const called = { name, arguments: JSON.stringify(input) }
  return { tool_calls: [{ id: `call_${number}`, type: 'function', function: called }] }
}
