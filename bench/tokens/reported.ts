/**
 * How far our count of a prompt is from what the provider reported, on transcripts with such reports:
 * uncalibrated, and after ten reports.
 *
 * A message with usage answers a request with all messages before it, back to the last compaction.
 * Errors are in percent of the report; positive means that we count more.
 */
import {
  type Calibration,
  calibrated,
  createMeter,
  findModel,
  type Measurable,
  type Meter,
  observe,
  startCalibration,
  type Tokenizer,
} from 'throughline'
import type { TranscriptMessage } from 'throughline/transcripts'
import { quantile } from '../../packages/throughline/src/cli/simulation/statistics.ts'
import { checkContent } from '../../packages/throughline/src/flow/check/check-parts.ts'
import type { DatasetItem } from '../datasets/dataset-item.ts'
import type { BenchRow } from '../report.ts'

export interface ReportedSource {
  readonly source: string
  readonly items: AsyncIterable<DatasetItem> | Iterable<DatasetItem>
}

/** Reports after which the calibration is judged. */
const calibrationSteps = 10

export async function reportedRows(
  sources: AsyncIterable<ReportedSource> | Iterable<ReportedSource>,
  tokenizer: Tokenizer,
): Promise<readonly BenchRow[]> {
  const errors = new Map<string, Errors>()
  for await (const { source, items } of sources) {
    const found = errors.get(source) ?? { uncalibrated: [], calibrated: [], frozen: [] }
    errors.set(source, found)
    await collect(items, tokenizer, found)
  }
  return [...errors].flatMap(([source, found]) => [
    ...rowsOf(source, 'uncalibrated', 0, found.uncalibrated),
    ...rowsOf(source, 'calibrated', calibrationSteps, found.calibrated),
    ...rowsOf(source, 'frozen', calibrationSteps, found.frozen),
  ])
}

interface Errors {
  readonly uncalibrated: number[]
  readonly calibrated: number[]
  readonly frozen: number[]
}

/** The messages of a conversation's last request, and the reports of each model. */
interface Conversation {
  messages: Measurable[]
  readonly models: Map<string, ModelState>
}

interface ModelState {
  readonly meter: Meter
  countedMessages: number
  countedTokens: number
  steps: number
  calibration: Calibration
  frozen: Calibration
}

async function collect(
  items: ReportedSource['items'],
  tokenizer: Tokenizer,
  errors: Errors,
): Promise<void> {
  const conversations = new Map<string, Conversation>()
  for await (const item of items) {
    if (item.kind !== 'message' && item.kind !== 'compaction') continue
    const conversation: Conversation = conversations.get(item.conversationId) ?? {
      messages: [],
      models: new Map(),
    }
    conversations.set(item.conversationId, conversation)
    if (item.kind === 'compaction') {
      forget(conversation, item.summary)
      continue
    }
    if (item.usage !== null) step(conversation, item, tokenizer, errors)
    // The compaction already has the summary, if the file has it twice.
    if (item.message.meta?.['compactSummary'] !== true) conversation.messages.push(parsed(item))
  }
}

function forget(conversation: Conversation, summary: string | null): void {
  const text = { type: 'text', text: summary ?? '', metadata: null } as const
  conversation.messages = [{ author: null, parts: [text] }]
  for (const state of conversation.models.values()) {
    state.countedMessages = 0
    state.countedTokens = state.meter.card.overhead.perRequestTokens
  }
}

function step(
  conversation: Conversation,
  { usage, model }: TranscriptMessage,
  tokenizer: Tokenizer,
  errors: Errors,
): void {
  const reportedTokens = usage?.inputTokens ?? 0
  if (reportedTokens <= 0) return
  const name = model ?? 'unknown'
  const state = conversation.models.get(name) ?? startModel(name, tokenizer)
  conversation.models.set(name, state)
  for (const message of conversation.messages.slice(state.countedMessages))
    state.countedTokens += state.meter.message(message)
  state.countedMessages = conversation.messages.length

  const { countedTokens } = state
  const error = (tokens: number) => (100 * (tokens - reportedTokens)) / reportedTokens
  errors.uncalibrated.push(error(calibrated(startCalibration(state.meter), countedTokens)))
  if (state.steps >= calibrationSteps) {
    errors.calibrated.push(error(calibrated(state.calibration, countedTokens)))
    errors.frozen.push(error(calibrated(state.frozen, countedTokens)))
  }
  state.calibration = observe(state.calibration, { countedTokens, reportedTokens })
  if (state.steps < calibrationSteps) state.frozen = state.calibration
  state.steps += 1
}

function startModel(name: string, tokenizer: Tokenizer): ModelState {
  const { card } = findModel(name)
  const meter = createMeter({ card, tokenizer, cacheEntries: 0 })
  const calibration = startCalibration(meter)
  return {
    meter,
    countedMessages: 0,
    countedTokens: card.overhead.perRequestTokens,
    steps: 0,
    calibration,
    frozen: calibration,
  }
}

function parsed({ message }: TranscriptMessage): Measurable {
  // Only file sizes matter here, so nothing is hashed.
  const parts = checkContent(message.content, 'message', {
    sha256: () => '',
    files: [],
    bytesMax: Number.POSITIVE_INFINITY,
  })
  return { author: message.author ?? null, parts }
}

function rowsOf(
  source: string,
  when: string,
  size: number,
  errors: readonly number[],
): readonly BenchRow[] {
  if (errors.length === 0) return []
  const base = { source, method: 'throughline', size, n: errors.length }
  const absolute = errors.map(Math.abs)
  const above = errors.filter((error) => error >= 0).length
  return [
    { ...base, value: quantile(errors, 0.05), unit: `% error p5, ${when}` },
    { ...base, value: quantile(errors, 0.5), unit: `% error p50, ${when}` },
    { ...base, value: quantile(errors, 0.95), unit: `% error p95, ${when}` },
    { ...base, value: quantile(absolute, 0.95), unit: `% absolute error p95, ${when}` },
    { ...base, value: (100 * above) / errors.length, unit: `% of steps not under, ${when}` },
  ]
}
