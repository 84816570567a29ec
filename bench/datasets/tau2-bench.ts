/**
 * tau2-bench results: `simulations[]`, each with its messages. The user may call tools too. The
 * agent's policy is its system prompt, not a message: it is `system` in the meta of each conversation
 * if the file has it before the simulations.
 */
import {
  ChatMessages,
  chatUsage,
  type ParsedChatMessage,
} from '../../packages/throughline/src/transcripts/formats/chat-message.ts'
import { elementMessage } from '../../packages/throughline/src/transcripts/json/body-messages.ts'
import { metaOf } from '../../packages/throughline/src/transcripts/json/json-access.ts'
import {
  formatPath,
  type JsonElement,
} from '../../packages/throughline/src/transcripts/json/json-elements.ts'
import {
  choosePatterns,
  elementsOf,
  fieldsOf,
  type JsonNode,
  noNode,
  parseRaw,
  valueIn,
} from '../../packages/throughline/src/transcripts/json/raw-json.ts'
import {
  type ReaderInput,
  scanSource,
} from '../../packages/throughline/src/transcripts/json/scan-source.ts'
import { UniqueNames } from '../../packages/throughline/src/transcripts/names.ts'
import { timeOf } from '../../packages/throughline/src/transcripts/times.ts'
import type { DatasetItem } from './dataset-item.ts'

interface Setting {
  agent: string | null
  domain: string | null
  policy: string | null
}

const noSetting: Setting = { agent: null, domain: null, policy: null }

const wanted = choosePatterns(['agent'], ['domain'], ['policy'], ['info'], ['simulations', '*'])

export async function* readTau2Bench(input: ReaderInput): AsyncGenerator<DatasetItem> {
  const ids = new UniqueNames()
  let setting = noSetting
  let root = 0
  for await (const event of scanSource(input, wanted)) {
    if (event.kind === 'problem') {
      yield event
      continue
    }
    // Each document has its own setting.
    if (event.root !== root) setting = noSetting
    root = event.root
    if (event.path[0] === 'simulations') yield* simulationItems(event, setting, ids)
    else setting = settingWith(setting, event)
  }
}

function settingWith(setting: Setting, element: JsonElement): Setting {
  const value = parseRaw(element) ?? noNode
  switch (element.path[0]) {
    case 'info': {
      const environment = value.field('environment_info')
      return {
        agent: setting.agent ?? value.field('agent_info').text('llm'),
        domain: setting.domain ?? environment.text('domain_name'),
        policy: setting.policy ?? environment.text('policy'),
      }
    }
    default:
      return value.asText === null
        ? setting
        : { ...setting, [String(element.path[0])]: value.asText }
  }
}

function* simulationItems(
  simulation: JsonElement,
  setting: Setting,
  ids: UniqueNames,
): Generator<DatasetItem> {
  const { fields, problems } = fieldsOf(simulation)
  yield* problems
  if (fields.size === 0) return
  const place = formatPath(simulation.path)
  const name = valueIn(fields, 'id')
  const id = ids.take(typeof name === 'string' && name !== '' ? name : place)
  const meta = metaOf({
    system: setting.policy,
    agent: setting.agent,
    domain: setting.domain,
    taskId: valueIn(fields, 'task_id'),
    trial: valueIn(fields, 'trial'),
    reward: valueIn(fields, 'reward') ?? parseRaw(fields.get('reward_info'))?.number('reward'),
  })
  yield { kind: 'conversation', id, title: null, parent: null, meta: meta ?? null }
  const chat = new ChatMessages()
  const messages = elementsOf(fields.get('messages'))
  for (const element of messages.elements) {
    const key = `${place}.messages${formatPath(element.path)}`
    const item = elementMessage(element, { conversationId: id, key }, (value) =>
      spokenBy(value, chat.read(value, key), setting.agent),
    )
    if (item !== null) yield item
  }
  yield* messages.problems
}

function spokenBy(value: JsonNode, message: ParsedChatMessage | null, agent: string | null) {
  if (message === null) return null
  return {
    message: { ...message, createdAt: timeOf(value.get('timestamp')) },
    usage: chatUsage(value.field('usage')),
    model: message.role === 'assistant' ? agent : null,
  }
}
