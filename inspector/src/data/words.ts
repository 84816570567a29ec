/** The words of the screen for codes of the engine. */

const reasons: Readonly<Record<string, string>> = {
  below: 'below the trigger',
  cooldown: 'too soon after the last compaction',
  minimum: 'too few new messages',
  disarmed: 'not below the reset ratio since the last compaction',
  regrowth: 'too little growth since the last compaction',
  'summary-pending': 'a summary is being written',
  suspended: 'auto-compaction is off since an undo',
  off: 'auto-compaction is off',
  trigger: 'the request reached the trigger or the limit',
  tokenRatio: 'the request reached the trigger or the limit',
  tokens: 'the request reached the trigger or the limit',
  messages: 'enough new messages',
  turns: 'enough new turns',
  periodic: 'every so many messages',
  onTrim: 'the request would not fit whole',
  all: 'all of its triggers fired',
  any: 'one of its triggers fired',
  manual: 'somebody asked for it',
  emergency: 'the request would not fit',
  overflow: 'the request would not fit',
  'provider-overflow': 'the provider refused the request as too long',
  first: 'first request of this model',
  'pins-changed': 'pins changed',
  'policy-changed': 'the policy changed',
  'window-changed': 'the window of the model changed',
  'history-changed': 'messages were edited or removed',
  refill: 'there is room for more messages',
  forgotten: 'what the model had seen was lost',
  remembered: 'the turn memory covers older messages',
  digested: 'the digest of a long message is ready',
  restored: 'a person undid a compaction or put it back',
  'summary-edited': 'a person corrected the summary',
  'system-changed': 'the system prompt changed',
  'tools-changed': 'the tools changed',
  'profile-changed': 'the profile changed',
  'memory-changed': 'the turn memory changed',
  'retrieved-changed': 'retrieved texts changed',
  'result-arrived': 'the result of an open call arrived',
  'next-changed': 'another message followed',
}

export function reasonText(code: string | null): string {
  return code === null ? '' : (reasons[code] ?? code)
}

const slots: Readonly<Record<string, string>> = {
  system: 'system prompt',
  tools: 'tools',
  profile: 'profile',
  pins: 'pins',
  summary: 'requests and summary',
  ledger: 'ledger',
  files: 'files in work',
  earlier: 'kept messages',
  recent: 'recent messages',
  recalled: 'recalled',
  retrieved: 'retrieved texts',
  current: 'current turn',
  kept: 'kept messages',
  stubs: 'shortened messages',
  frames: 'request overhead',
}

export function slotText(kind: string): string {
  return slots[kind] ?? kind
}

const differences: Readonly<Record<string, string>> = {
  'place-unknown': 'This request was recorded by an older release without its place in the log.',
  'view-dropped': 'What the model saw then is no longer kept.',
  'messages-changed': 'Messages were edited or removed since: what the model saw no longer exists.',
  'policy-changed':
    'The policy of the server has changed since, and with it how requests are built.',
  'texts-not-stored':
    'The program passed texts (profile, retrieved texts or turn memory) that are not stored.',
  'prompt-not-stored':
    'Its messages are those that were sent, but its system prompt or its tools are no longer stored.',
  'tools-not-stored':
    'Its system prompt or its tools are no longer stored, and messages may name other tools.',
}

export function differenceText(code: string): string {
  return differences[code] ?? code
}

const origins: Readonly<Record<string, string>> = {
  person: 'person',
  application: 'application',
  developer: 'developer',
  model: 'model',
  agent: 'agent',
  tool: 'tool',
  summary: "client's summary",
}

export function originText(origin: string | null): string {
  return origin === null ? 'unknown' : (origins[origin] ?? origin)
}

const omissions: Readonly<Record<string, string>> = {
  'left-out': 'dropped: the digest describes it',
  stubbed: 'shortened to beginning and end, because it is long',
  'over-share': "the text was larger than its slot's share",
}

export function omissionText(why: string): string {
  return omissions[why] ?? why
}

const repairs: Readonly<Record<string, string>> = {
  'result-without-call': 'a result without its call became text',
  'call-as-text': 'a call became text',
  'call-without-result': 'a call without a result got one',
  'result-moved': 'a result was moved to its call',
  'call-renamed': 'a repeated id of a call was changed',
  'opening-added': 'a first message of the user was added',
  'ending-added': 'a last message of the user was added',
  'text-repaired': 'invalid characters were replaced',
  'document-moved': 'a document was moved out of a system message',
}

/** Changes without which providers refuse a request. */
export function repairText(kind: string): string {
  return repairs[kind] ?? kind
}

const kinds: Readonly<Record<string, string>> = {
  'conversation-created': 'conversation created',
  'messages-appended': 'messages appended',
  'message-edited': 'message edited',
  'messages-removed': 'messages removed',
  'message-purged': 'message purged',
  'conversation-updated': 'conversation updated',
  'pins-changed': 'pins changed',
  'compaction-controlled': 'compaction setting changed',
  'epoch-began': 'what the model sees changed',
  'view-restored': 'compaction undone or put back',
  'summary-edited': 'summary edited',
  'facts-extracted': 'facts extracted',
  'summary-written': 'summary written',
  'summary-failed': 'summary failed',
  'message-digested': 'long message digested',
  'turn-remembered': 'turn remembered',
  'compaction-finished': 'compaction finished',
  'receipt-completed': 'follow-up added',
}

export function eventText(kind: string): string {
  return kinds[kind] ?? kind
}
