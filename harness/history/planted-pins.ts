/** Planted bugs, and the rule that must find each. */
import type { Context } from 'throughline'
import type { PlantedBug } from '../kernel/planted.ts'
import type { PinRule } from './check-pins.ts'
import { writersWord } from './lying-writer.ts'
import { type PlantedPin, runPins } from './run-pins.ts'

interface PlantedPinBug {
  readonly bug: string
  readonly rule: PinRule | 'leaked'
  readonly planted: PlantedPin
}

type Messages = Context['messages']

const pinBugs: readonly PlantedPinBug[] = [
  {
    bug: 'a pin that is trimmed',
    rule: 'bytes',
    planted: inBlocks((text) => text.replace(/(?=.\n\[end \S+\]$)/su, ' ')),
  },
  {
    bug: 'a pin with typographic quotes',
    rule: 'bytes',
    planted: inBlocks((text) => text.replaceAll('«', '"')),
  },
  {
    bug: 'a pin that is missing from the summarized messages',
    rule: 'missing',
    planted: ofMessages((messages) => messages.filter(({ slot }) => slot !== 'pins')),
  },
  {
    bug: 'a pin that is shown twice',
    rule: 'twice',
    planted: ofMessages((messages) => [...pinsIn(messages), ...messages]),
  },
  {
    bug: 'pins in the order in which they were set',
    rule: 'order',
    planted: ofMessages((messages) => [
      ...pinsIn(messages).toReversed(),
      ...messages.filter(({ slot }) => slot !== 'pins'),
    ]),
  },
  {
    bug: 'pins that no budget counts',
    rule: 'counted',
    planted: {
      context: (context) => {
        const { budget } = context
        return { ...context, budget: { ...budget, protected: { ...budget.protected, pins: 0 } } }
      },
    },
  },
  {
    bug: 'a summary without a block around it',
    rule: 'forged',
    planted: ofMessages((messages) =>
      messages.map((message) =>
        message.slot === 'summary'
          ? withText(message, (text) => text.split('\n').slice(1).join('\n').slice(pinAt(text)))
          : message,
      ),
    ),
  },
  {
    bug: 'a pin rewritten by a model',
    rule: 'written',
    planted: inBlocks((text) => text.replace(/\n(?=\[end \S+\]$)/u, ` ${writersWord}\n`)),
  },
  {
    bug: 'a summarizer that receives the pins',
    rule: 'leaked',
    planted: { request: (text, pins) => [text, ...pins.map((pin) => pin.text)].join('\n') },
  },
]

export const plantedPins: readonly PlantedBug[] = pinBugs.map(({ bug, rule, planted }) => ({
  bug,
  rule,
  find: async () => (await runPins({ seed: 1, from: 0, to: 12, planted, until: rule })).findings,
}))

function ofMessages(change: (messages: Messages) => Messages): PlantedPin {
  return { context: (context) => ({ ...context, messages: change(context.messages) }) }
}

function inBlocks(change: (text: string) => string): PlantedPin {
  return ofMessages((messages) =>
    messages.map((message) => (message.slot === 'pins' ? withText(message, change) : message)),
  )
}

function withText(message: Messages[number], change: (text: string) => string): Messages[number] {
  const parts = message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: change(part.text) } : part,
  )
  return { ...message, parts }
}

function pinsIn(messages: Messages): Messages {
  return messages.filter(({ slot }) => slot === 'pins')
}

/** Where the first forged pin block inside a text starts. */
function pinAt(text: string): number {
  const body = text.split('\n').slice(1).join('\n')
  return Math.max(0, body.indexOf('[pinned message #'))
}
