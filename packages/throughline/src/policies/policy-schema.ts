/**
 * The schema of a policy as callers write it, with a sentence for each setting and its value where it is
 * left out. `policy-input.ts` declares the same shape for editors.
 */
import * as v from 'valibot'
import { defaults } from '../defaults-data.ts'
import type { SlotKind } from '../domain/context.ts'
import type { Trigger } from '../domain/decision.ts'
import { policyNames } from '../domain/policy-names-data.ts'
import type { TurnRules } from '../domain/turn-memory.ts'
import { turnRules } from '../domain/turn-rules-data.ts'
import { readPrompt } from '../summarizers/digest/prompt.ts'
import { turnFigures } from './policy-schema-data.ts'
import {
  boolean,
  listNames,
  number,
  object,
  oneOf,
  ratio,
  required,
  rule,
  setting,
  settingOr,
  text,
  usd,
  whole,
} from './schema.ts'

function amount(maxRatio = 1) {
  return v.union(
    [
      object({ tokens: required(whole(), 'So many tokens.') }),
      object({ ratio: required(ratio(maxRatio), 'This share of the whole.') }),
    ],
    `must be an amount: { tokens: a whole number from 0 } or { ratio: 0 to ${maxRatio} }`,
  )
}

const reserveSettings = {
  tokens: required(whole(), 'Tokens kept free for the reply.'),
  ratioMax: required(ratio(), 'The most of the window that the reserve may take.'),
}
const partialReserve = object({
  tokens: v.optional(reserveSettings.tokens),
  ratioMax: v.optional(reserveSettings.ratioMax),
})

const keepRecent = v.union(
  [
    object({
      messages: required(whole(2), 'So many messages, at least a question and its answer.'),
    }),
    object({ turns: required(whole(1), 'So many turns.') }),
    object({ exchanges: required(whole(1), 'So many turns that have been answered.') }),
    object({ tokens: required(whole(1), 'So many tokens.') }),
  ],
  'must be a number of one of messages, turns, exchanges or tokens, such as { messages: 6 }',
)

const since = required(whole(1), 'So many since the last compaction.')

function tag<const Name extends string>(name: Name) {
  return required(v.literal(name), 'Which of the shapes this is.')
}

const triggers: v.GenericSchema<readonly Trigger[]> = v.array(
  v.lazy(() => trigger),
  'must be an array of triggers',
)
const oneOrMoreTriggers = v.pipe(
  triggers,
  rule((list) => list.length > 0, 'must not be empty'),
)
export const trigger: v.GenericSchema<Trigger> = v.variant(
  'kind',
  [
    v.pipe(
      object({
        kind: tag('tokenRatio'),
        at: required(ratio(), 'Fires from this ratio on.'),
        withoutModel: setting(ratio(), 'Used instead of `at` if no model writes summaries.'),
        reset: required(ratio(), 'Fires again once the ratio has been below this.'),
        of: required(oneOf(['window', 'available', 'free']), 'What the ratio is of.'),
      }),
      rule(
        ({ at, withoutModel = at, reset }) => reset < at && reset < withoutModel,
        'must have reset < at, and < withoutModel',
      ),
    ),
    object({
      kind: tag('tokens'),
      at: required(whole(1), 'Fires from so many tokens on.'),
      of: setting(oneOf(['request', 'conversation']), 'Where the tokens are counted.'),
    }),
    object({ kind: tag('messages'), since }),
    object({ kind: tag('turns'), since }),
    object({ kind: tag('onTrim') }),
    object({
      kind: tag('periodic'),
      messages: required(whole(1), 'Fires at every so many messages of the log.'),
    }),
    object({
      kind: tag('all'),
      of: required(oneOrMoreTriggers, 'Triggers that all have to fire.'),
    }),
    object({
      kind: tag('any'),
      of: required(oneOrMoreTriggers, 'Triggers of which one has to fire.'),
    }),
  ],
  'must be tokenRatio, tokens, messages, turns, onTrim, periodic, all or any',
)

const ids = v.pipe(
  v.array(text('the id of a model'), 'must be an array of ids of models'),
  v.minLength(1, 'must be an array of ids of models, or be left out'),
)
const modelSettings = {
  models: setting(ids, 'Ids of the models to ask, the best first; all unless set.'),
}

// Less leaves no room for a conversation beside the instructions.
const requestTokens = whole(500)

const prompt = v.pipe(
  v.string('must be a prompt, or null'),
  v.rawCheck(({ dataset, addIssue }) => {
    const read = dataset.typed ? readPrompt(dataset.value) : null
    if (read !== null && !read.ok) addIssue({ message: read.failure.message })
  }),
)

const summarizer = v.variant(
  'style',
  [
    object({
      ...modelSettings,
      style: tag('structured'),
      depthMax: settingOr(whole(1), 3, 'Summaries made from summaries before a new chain starts.'),
      transcriptTokens: settingOr(requestTokens, 8_000, 'The most of a conversation in a request.'),
      chunkTokens: setting(requestTokens, 'Size of chunks for long text; none unless set.'),
    }),
    object({
      ...modelSettings,
      style: tag('running'),
      prompt: settingOr(oneOf(['rows', 'resources']), 'rows', 'For talks, or talks on documents.'),
      chunkTokens: settingOr(v.nullable(requestTokens), null, 'Size of chunks; null for none.'),
    }),
    object({
      ...modelSettings,
      style: tag('digest'),
      prompt: settingOr(v.nullable(prompt), null, 'Your own prompt, with `{context}` in it once.'),
    }),
  ],
  'must be structured, running or digest',
)

const summarizers = v.array(summarizer, 'must be an array of summarizers')

// Timers take no more.
const maxTimerMs = 2 ** 31 - 1
const run = v.variant(
  'mode',
  [
    object({ mode: tag('blocking') }),
    object({
      mode: tag('background'),
      waitMs: settingOr(
        whole(0, maxTimerMs),
        10_000,
        'How long a request that would not fit waits.',
      ),
    }),
  ],
  'must be blocking or background',
)

const limits = object({
  calls: setting(whole(), 'The most calls for one compaction.'),
  timeMs: setting(whole(1, maxTimerMs), 'The most time for one compaction, in milliseconds.'),
  usd: setting(v.nullable(usd), 'US dollars for one compaction; null for no limit.'),
  callsPerHour: setting(whole(), 'The most calls in an hour of a conversation.'),
  usdPerHour: setting(v.nullable(usd), 'The same in an hour of a conversation.'),
})

const recall = object({
  share: required(amount(), 'The most that is recalled for one message.'),
  most: required(whole(), 'The same in tokens, at most.'),
  upTo: required(amount(), 'A context that starts with recalled text is filled up to this much.'),
})

/** What a policy may have otherwise for some models. */
export const overrideSettings = {
  triggers: setting(triggers, 'When to compact.'),
  target: setting(amount(), 'How much is kept.'),
  reserve: setting(object(reserveSettings), 'What is kept free for the reply.'),
  keepRecent: setting(keepRecent, 'The newest messages, which are shortened last.'),
}

const models = v.array(
  object({
    match: required(
      text('the name of a model'),
      'A name, with `*` for any characters: `ollama/*`.',
    ),
    ...overrideSettings,
  }),
  'must be an array of overrides',
)

const guards = object({
  cooldownMessages: setting(whole(), 'The fewest new messages since the last compaction.'),
  minMessages: setting(whole(), 'The fewest messages that are not compacted yet.'),
  regrowthRatio: setting(ratio(), 'Growth after a compaction that stayed above its trigger.'),
})

const narrative = v.variant(
  'style',
  [
    object({ style: tag('chronicle') }),
    object({
      style: tag('tool-lines'),
      errorDetails: settingOr(boolean, true, 'Whether errors are shown whole, up to a cap.'),
    }),
  ],
  'must be chronicle or tool-lines',
)

const trim = object({
  order: setting(
    oneOf(['share', 'priority', 'age']),
    'Whether each message gets a share of the room by its kind, or the least valuable or the oldest are shortened first.',
  ),
  priorities: setting(
    object({
      'old-user-text': setting(number, 'User messages before the recent turns.'),
      'old-reply': setting(number, 'Replies before the recent turns.'),
      'modified-file': setting(number, 'Results about files that the conversation changed.'),
    }),
    'The priority of some classes of messages; the others are fixed.',
  ),
  protectedFrom: setting(number, 'Messages from this priority on are shortened only to fit.'),
  recentSteps: setting(whole(), 'A tool result is recent for so many steps.'),
  recentTurns: setting(whole(), 'A message is recent for so many turns.'),
  keepErrors: setting(boolean, 'Whether failed results are shortened last.'),
  smallTokens: setting(whole(), 'Results up to so many tokens stay as they are.'),
})

const stub = object({
  tokens: setting(amount(), 'How much of a stubbed message stays.'),
  most: setting(whole(defaults.stubLeastTokens), 'The same in tokens, at most.'),
})

/** Only these may have a share. */
const slotsWithShare = ['profile', 'retrieved', 'summary', 'ledger', 'files'] as const
const otherSlots = ['system', 'pins', 'earlier', 'recent', 'current'] as const
/** The slots that a policy may have without an extension. */
export const policySlots: readonly SlotKind[] = [...otherSlots, ...slotsWithShare]
const mayHaveShare = (kind: SlotKind) => slotsWithShare.some((each) => each === kind)

const slot = v.pipe(
  object({
    kind: required(text(), 'What the slot shows.'),
    share: setting(amount(), 'The most that the slot may have.'),
    most: setting(whole(), 'The same in tokens, at most.'),
  }),
  rule(
    ({ kind, share, most }) => (share ?? most) === undefined || mayHaveShare(kind),
    `has a share, which only ${listNames(slotsWithShare)} may have`,
  ),
)

type Slots = readonly { readonly kind: SlotKind }[]
const hasSlot = (slots: Slots, kind: SlotKind) => slots.some((each) => each.kind === kind)
const requiredSlots: readonly SlotKind[] = [...otherSlots, 'profile', 'retrieved']

const slots = v.pipe(
  v.array(slot, 'must be an array of slots'),
  rule(
    (slots) => requiredSlots.every((kind) => hasSlot(slots, kind)),
    `must hold ${requiredSlots.join(', ')}`,
  ),
  rule(
    (slots) => new Set(slots.map(({ kind }) => kind)).size === slots.length,
    'must hold each kind once',
  ),
  rule(
    (slots) => hasSlot(slots, 'turns') === hasSlot(slots, 'history'),
    'must hold turns and history together: what leaves the one enters the other',
  ),
  rule((slots) => slots[0]?.kind === 'system', 'must begin with the system slot'),
  rule((slots) => slots.at(-1)?.kind === 'current', 'must end with the current slot'),
)

const turnSetting = (name: keyof TurnRules) => {
  const [min, sentence] = turnFigures[name]
  return settingOr(whole(min), turnRules[name], sentence)
}
const turnNames = Object.keys(turnFigures) as readonly (keyof TurnRules)[]
const turns = object(
  Object.fromEntries(turnNames.map((name) => [name, turnSetting(name)])) as Record<
    keyof TurnRules,
    ReturnType<typeof turnSetting>
  >,
)

const derivedRoles = ['user-message', 'system-message', 'merged-into-system'] as const

const advancedSettings = {
  guards: setting(guards, 'Conditions that delay a trigger.'),
  margin: setting(amount(), 'Tokens kept free for text that a provider adds without reporting it.'),
  fill: setting(
    oneOf(['target', 'recent']),
    'What a compaction keeps: the most valuable up to the target, or only the newest.',
  ),
  userText: setting(amount(), "The room for the user's own words before the line."),
  pinUserMessages: setting(v.nullable(amount(0.5)), 'Pins user messages up to this size.'),
  narrative: setting(narrative, 'The form of the digest that rules write.'),
  onFailure: setting(oneOf(['rules', 'no-change', 'throw']), 'What happens when all models fail.'),
  trim: setting(trim, 'Which messages are shortened first.'),
  stub: setting(stub, 'How much of a stubbed message stays.'),
  slots: setting(slots, 'The sections of a context, in order, and the most of each.'),
  derivedRole: setting(oneOf(derivedRoles), 'The role of summaries and of notes about omissions.'),
  turns: setting(turns, 'The figures of a turn memory.'),
}

/** The settings of a policy; a test allows at most twelve. */
export const policySchema = object(
  {
    name: required(text(), 'What the policy is called in receipts and reports.'),
    extends: setting(
      oneOf(policyNames),
      'The shipped policy that completes it: `balanced` unless set.',
    ),
    triggers: setting(triggers, 'When to compact: any one trigger suffices.'),
    target: setting(amount(), 'How much of the context a compaction keeps.'),
    keepRecent: setting(keepRecent, 'The newest messages, which are shortened last.'),
    reserve: setting(partialReserve, 'What is kept free for the reply.'),
    summarizers: setting(summarizers, 'How models are asked for a summary, tried in this order.'),
    run: setting(run, 'Whether models are asked before the request leaves, or after it.'),
    limits: setting(limits, 'How much models may be asked, for one compaction and in an hour.'),
    recall: setting(v.nullable(recall), 'How much is recalled for a user message; null for none.'),
    models: setting(models, 'What differs for some models: the first that matches applies.'),
    advanced: setting(object(advancedSettings), 'Settings that few need.'),
  },
  (name) => (Object.hasOwn(advancedSettings, name) ? `it is "advanced.${name}"` : null),
)
