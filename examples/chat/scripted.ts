/** Options of a client without a key: it says how many messages it got. */
export const scripted = {
  apiKey: 'scripted',
  fetch: async (_url: unknown, init?: { readonly body?: unknown }) => {
    const { messages } = JSON.parse(String(init?.body)) as { readonly messages: readonly unknown[] }
    const message = { role: 'assistant', content: `I got ${messages.length} messages.` }
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
  },
}
