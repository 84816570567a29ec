/**
 * A gateway in a process of its own, on a folder and before the upstream of its parent: sends its address, and its
 * memory when it is asked.
 */
import { readServerSettings, startServer } from '@throughline/server'

const [, , folder = '', upstream = ''] = process.argv
const address = { url: upstream }
const settings = readServerSettings(
  {
    ...{ folder, port: 0, logLevel: 'silent', limits: { requestsPerMinute: 10_000_000 } },
    // A window in which nothing is compacted, whatever its size.
    engine: { models: [{ id: 'wide', contextWindowTokens: 100_000_000 }] },
    gateway: { upstreams: { anthropic: address, openai: address, gemini: address } },
  },
  { env: {} },
)
const { url, firstKey } = await startServer(settings, {})
process.on('message', () => process.send?.({ rssBytes: process.memoryUsage.rss() }))
process.send?.({ url, firstKey })
