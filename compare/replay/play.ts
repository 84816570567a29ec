/** Plays a conversation through a method and scores each request that its model gets. */
import { createFaultServer, type ModelFault } from '../../harness/fault-server.ts'
import { createEmbeddings } from '../embeddings.ts'
import type { Conversation, Turn } from '../made/turns.ts'
import { agentModel, apiKey, type OpenSession, summarizerModel } from '../session.ts'
import type { Scored, Scoring, SummaryCall } from './scoring.ts'
import { scripted } from './script.ts'
import { sentRequest } from './sent-request.ts'
import { summaryOf } from './summarizer.ts'

export interface Play {
  readonly conversation: Conversation
  readonly open: OpenSession
  readonly windowTokens: number
  readonly folder: string
  /** Every request to the summarizer fails this way. */
  readonly fault: ModelFault | null
}

/** What happened, beside what the scoring counted. */
export interface Played {
  readonly requests: number
  readonly refused: number
  readonly failedTurns: number
  readonly summaries: number
  /** The first refusal and the first failure, in words. */
  readonly problems: readonly string[]
}

export async function play(plan: Play, scoring: Scoring): Promise<Played> {
  const { conversation, open, windowTokens, folder, fault } = plan
  const script = scripted()
  const places = new Map<number, number>()
  const server = await createFaultServer({
    apiKey,
    pace: { retryAfterMs: 1 },
    faults: ({ model }) => (model === summarizerModel ? fault : null),
    answers: (question) => {
      if (question.model !== agentModel) return summaryOf(question)
      places.set(question.number, script.place)
      return script.answer()
    },
  })
  const { system, tools, turns, questions } = conversation
  const { runTool } = script
  const embeddings = await createEmbeddings()
  const endpoint = {
    url: server.url,
    summarizerUrl: server.url,
    embeddingsUrl: embeddings.url,
    fetch,
  }
  const session = await open({ windowTokens, system, tools, folder, ...endpoint, runTool })
  const problems: string[] = []
  const played = { requests: 0, refused: 0, failedTurns: 0, summaries: 0 }
  let read = 0
  let summary: SummaryCall | null = null
  const drain = (turn: Turn) => {
    for (const { body, question, answer, problems: found, invented } of server.requests.slice(
      read,
    )) {
      const { model } = body as { readonly model?: string }
      if (model === summarizerModel) {
        played.summaries += 1
        scoring.invented(invented)
        summary = { prompt: JSON.stringify(body), answer: answer ?? '', before: summary }
        continue
      }
      if (model !== agentModel) continue
      played.requests += 1
      if (found.length > 0) {
        played.refused += 1
        problems.push(`refused: ${found[0]}`)
      }
      const place = question === null ? null : (places.get(question.number) ?? null)
      scoring.request({
        ...sentRequest(body),
        place,
        turn,
        summary,
        refused: found.length > 0,
      } satisfies Scored)
      summary = null
    }
    read = server.requests.length
  }
  for (const turn of [...turns, ...questions.map((question) => question.turn)]) {
    script.begin(turn)
    try {
      await session.turn(turn.text)
    } catch (error) {
      played.failedTurns += 1
      problems.push(`failed: ${error instanceof Error ? error.message : error}`)
    }
    drain(turn)
  }
  await session.close()
  await server.close()
  await embeddings.close()
  return {
    ...played,
    problems: [...new Set(problems.map((problem) => problem.slice(0, 300)))].slice(0, 3),
  }
}
