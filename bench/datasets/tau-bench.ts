/** tau-bench results: a list of runs, each with its OpenAI chat messages in `traj`. */
import { ChatMessages } from '../../packages/throughline/src/transcripts/formats/chat-message.ts'
import { elementMessage } from '../../packages/throughline/src/transcripts/json/body-messages.ts'
import { metaOf, plainText } from '../../packages/throughline/src/transcripts/json/json-access.ts'
import {
  formatPath,
  type JsonElement,
} from '../../packages/throughline/src/transcripts/json/json-elements.ts'
import {
  elementsOf,
  fieldsOf,
  valueIn,
} from '../../packages/throughline/src/transcripts/json/raw-json.ts'
import {
  chooseRecords,
  type ReaderInput,
  scanSource,
} from '../../packages/throughline/src/transcripts/json/scan-source.ts'
import { UniqueNames } from '../../packages/throughline/src/transcripts/names.ts'
import type { DatasetItem } from './dataset-item.ts'

export async function* readTauBench(input: ReaderInput): AsyncGenerator<DatasetItem> {
  const ids = new UniqueNames()
  for await (const event of scanSource(input, chooseRecords))
    if (event.kind === 'problem') yield event
    else yield* runItems(event, ids)
}

function* runItems(run: JsonElement, ids: UniqueNames): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(run)
  yield* problems
  if (fields.size === 0) return
  const [taskId, trial, reward] = ['task_id', 'trial', 'reward'].map((key) => valueIn(fields, key))
  const place = formatPath(run.path)
  // A truncated run may lack the trial, and trial 0 is another conversation.
  const task = run.complete ? plainText(taskId) : null
  const id = ids.take(task ? `task-${task}-trial-${plainText(trial) ?? 0}` : `run${place}`)
  const meta = metaOf({ taskId, trial, reward }) ?? null
  yield { kind: 'conversation', id, title: null, parent: null, meta }
  const chat = new ChatMessages()
  const trajectory = elementsOf(fields.get('traj'))
  for (const element of trajectory.elements) {
    const key = `${place === '' ? '' : `${place}.`}traj${formatPath(element.path)}`
    const item = elementMessage(element, { conversationId: id, key }, (value) => {
      const message = chat.read(value, key)
      return message === null ? null : { message }
    })
    if (item !== null) yield item
  }
  yield* trajectory.problems
}
