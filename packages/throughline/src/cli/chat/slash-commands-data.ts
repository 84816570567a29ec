/** The slash commands of a chat, as /help shows them. */
export const slashForms = {
  status: { takes: '', says: 'how full the last request was' },
  context: { takes: '', says: 'what the model would receive; --full for all' },
  compact: { takes: '[INSTRUCTIONS]', says: 'compact now, with a focus for the summary' },
  resummarize: { takes: '', says: 'compact with a new summary from the messages' },
  receipt: { takes: '', says: 'what the last compaction did' },
  undo: { takes: '', says: 'undo the last compaction' },
  recall: { takes: 'WORDS', says: 'search the conversation' },
  expand: { takes: '#12', says: 'print messages, word for word' },
  pin: { takes: '[#12]', says: 'keep a message in every request' },
  unpin: { takes: '#12', says: 'remove a pin' },
  'rolling-context': { takes: 'on|off|status', says: 'auto-compaction' },
  model: { takes: '[NAME]', says: 'switch to another model' },
  retry: { takes: '', says: 'send an unanswered message again' },
  help: { takes: '', says: 'this list' },
  quit: { takes: '', says: 'end the chat, as Ctrl-D' },
} as const

export const entryHelp =
  'For several lines, put the message between """ and """, or end each line with \\. Ctrl-C stops an answer. To send a message that starts with /, type //.'

export const noSummarizer =
  'no summarizer is set, so there is no summary to write again; start with chat --summarizer openai/gpt-5-mini'
