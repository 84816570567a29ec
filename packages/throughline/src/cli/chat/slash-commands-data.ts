/** What can be done in a chat beside talking, as /help shows it. */
export const slashForms = {
  status: { takes: '', says: 'how full the last request was' },
  context: { takes: '', says: 'what the model would see; --full for all' },
  compact: { takes: '[INSTRUCTIONS]', says: 'compacts now, and what to dwell on' },
  resummarize: { takes: '', says: 'compacts with a summary made afresh' },
  receipt: { takes: '', says: 'what the last compaction did' },
  undo: { takes: '', says: 'shows again what stood before it' },
  recall: { takes: 'WORDS', says: 'finds what was said on something' },
  expand: { takes: '#12', says: 'opens messages, word for word' },
  pin: { takes: '[#12]', says: 'shows a message always' },
  unpin: { takes: '#12', says: 'lets it go' },
  'rolling-context': { takes: 'on|off|status', says: 'whether it compacts by itself' },
  model: { takes: '[NAME]', says: 'goes on with another model' },
  retry: { takes: '', says: 'asks again where no answer came' },
  help: { takes: '', says: 'this list' },
  quit: { takes: '', says: 'ends; so does Ctrl-D' },
} as const

export const entryHelp =
  'Three quotes (""") begin and end a message of several lines, and \\ at the end of a line goes on in the next. Ctrl-C stops an answer. A message that begins with / is said with //.'

export const noSummarizer =
  'no model writes summaries here, so there is none to write again: chat --summarizer openai/gpt-5-mini has one'
