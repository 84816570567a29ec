/** The server that is killed: starts in a folder, before the upstream of its parent, and sends its address. */
import { readServerSettings, startServer } from '@throughline/server'

const [, , folder = '', upstream = ''] = process.argv
const address = { url: upstream }
const settings = readServerSettings(
  {
    ...{ folder, port: 0, logLevel: 'silent', limits: { requestsPerMinute: 10_000_000 } },
    gateway: { upstreams: { anthropic: address, openai: address, gemini: address } },
  },
  { env: {} },
)
const { url, firstKey } = await startServer(settings, {})
process.send?.({ url, firstKey })
