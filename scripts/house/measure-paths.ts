/** Counts the files and functions that run for one append, context and compaction, by V8 coverage. */
import { Session } from 'node:inspector/promises'
import { createThroughline } from 'throughline'

interface PathSize {
  readonly files: number
  readonly functions: number
}

export interface PathSizes {
  readonly append: PathSize
  readonly context: PathSize
  readonly compaction: PathSize
}

const model = 'house/model'

export async function measurePaths(): Promise<PathSizes> {
  const throughline = createThroughline({
    models: [{ id: model, contextWindowTokens: 8_000 }],
  })
  const chat = throughline.conversation('house')
  await chat.append(messages(0, 12))
  await chat.context({ model })
  await throughline.settled()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const measure = async (act: () => Promise<unknown>): Promise<PathSize> => {
    await session.post('Profiler.takePreciseCoverage')
    await act()
    return sizeOf((await session.post('Profiler.takePreciseCoverage')).result)
  }
  const append = await measure(() => chat.append(messages(12, 14)))
  const context = await measure(() => chat.context({ model }))
  await throughline.settled()
  const receipts = async () => (await chat.receipts({ limit: 1 })).length
  if ((await receipts()) > 0) throw new Error('the first context compacted, but should not')
  await chat.append(messages(14, 80))
  const compaction = await measure(() => chat.context({ model }))
  if ((await receipts()) === 0) throw new Error('nothing was compacted')
  session.disconnect()
  await throughline.close()
  return { append, context, compaction }
}

interface CoveredScript {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
  }[]
}

/** Module code starts at the start of the file; it runs on loading and does not count. */
function sizeOf(scripts: readonly CoveredScript[]): PathSize {
  const ours = scripts.filter(({ url }) => url.includes('/packages/throughline/src/'))
  const run = ours.map(({ functions }) =>
    functions.filter(
      ({ functionName, ranges: [whole] }) =>
        whole !== undefined && whole.startOffset > 0 && whole.count > 0 && functionName !== '',
    ),
  )
  return {
    files: run.filter((functions) => functions.length > 0).length,
    functions: run.reduce((total, functions) => total + functions.length, 0),
  }
}

/** A made-up agent session: a request, a file read, its text, an edit, an answer. */
function messages(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => {
    const place = from + index
    const id = `call-${Math.floor(place / 4)}`
    const path = `src/orders/total-${Math.floor(place / 4)}.ts`
    switch (place % 4) {
      case 0:
        return { role: 'user' as const, content: `Please look at ${path}, invoice ${place}0417.` }
      case 1:
        return {
          role: 'assistant' as const,
          content: [{ type: 'tool-call' as const, callId: id, name: 'read_file', input: { path } }],
        }
      case 2:
        return {
          role: 'tool' as const,
          content: [
            {
              type: 'tool-result' as const,
              callId: id,
              name: 'read_file',
              output: `export function total${place}(rows: number[]) {\n${'  // adds the rows up, one by one\n'.repeat(30)}}`,
            },
          ],
        }
      default:
        return {
          role: 'assistant' as const,
          content: `The total in ${path} leaves out row ${place}; I would add a test first.`,
        }
    }
  })
}
