/**
 * What each command is called, takes and shows in its help, in the order of the help. Texts alone: the help
 * loads no command, and a command loads no other.
 */
import type { CommandForm } from './command.ts'

/** What `throughline` alone says first. */
export const aboutThroughline =
  "Throughline keeps a conversation of any length inside any model's context window; nothing is deleted, and everything is one recall away."

export const firstMinutes = [
  ['import session.jsonl', 'bring a conversation of another tool'],
  ['list', 'see what is there'],
  ['replay --last --window 32000', 'watch it stay inside a window'],
  ['context --last --window 8000', 'what a small model would be shown'],
  ['compact --last --preview', 'what a compaction would do'],
  ['recall --last which port', 'find what was said on something'],
  ['receipt --last', 'what the last compaction did'],
] as const

const last = {
  last: { says: 'the conversation that was talked in last, instead of a name' },
}

const request = {
  system: { value: 'TEXT', says: 'the system prompt; @FILE reads it from a file' },
  window: { value: 'TOKENS', says: 'another window than the model has, as 32000 or 32k' },
}

const named = ['store', 'tenant', 'model'] as const
const places = ['baseUrl', 'models', 'providers'] as const

/** The settings that change what an engine does. */
const engine = [...named, 'policy', 'summarizer', 'compaction', 'tokenizer'] as const

export const commandForms = {
  import: {
    group: 'Bring',
    summary: 'bring in conversations of other tools',
    usage: ['import FILE… [--format NAME] [--into ID] [--dry-run]', 'import FOLDER…', 'import -'],
    about: [
      'Which format a file has is found in its text: claude-code, codex, pi, chatgpt, openai, anthropic, ai-sdk, messages, text, mini-swe, throughline. Folders are searched for JSON and JSONL files that hold transcripts; with --format text for .txt and .md.',
      'Importing again adds only what is new, also after it was stopped in the middle. Where a file has changed what was imported before, what differs becomes a conversation of its own, a fork, and both stay.',
      'No path and no address that stands in a transcript is ever opened.',
    ],
    options: {
      format: { value: 'NAME', says: 'the format, instead of looking for it' },
      'on-broken': { value: 'skip|abort', says: 'what a broken line does; skip unless set' },
      into: { value: 'ID', says: 'append to this conversation, instead of its own' },
      'dry-run': { says: 'read and count, and write nothing' },
    },
    examples: [
      ['import ~/.claude/projects', 'every Claude Code session of yours'],
      ['import conversations.json', "ChatGPT's export, each chat by itself"],
      ['import talk.txt --format text', 'text with "User:" and "Assistant:"'],
      ['import - --into invoice-7', 'what is piped in, into one conversation'],
    ],
  },
  list: {
    group: 'Look',
    summary: 'the conversations of the store, newest first',
    usage: ['list [TEXT] [--limit N | --all]'],
    about: [
      'With a text, only those that have it in their id or title. Children, which tools of another conversation have started, are listed with --children.',
    ],
    options: {
      limit: { value: 'N', says: 'so many at most; 20 unless set' },
      all: { says: 'all of them' },
      children: { says: 'also those that another conversation has started' },
    },
    examples: [
      ['list', 'the twenty that were talked in last'],
      ['list invoice --all', 'all with "invoice" in their id or title'],
      ['list --json', 'for programs'],
    ],
  },
  show: {
    group: 'Look',
    summary: 'the messages of a conversation',
    usage: ['show CONVERSATION [PLACE | FROM-TO] [--full]', 'show --last'],
    about: [
      'Without a place, the newest ten. Long messages are shortened; --full shows them whole. With --json there is a line for each message.',
    ],
    options: {
      ...last,
      all: { says: 'every message' },
      full: { says: 'messages whole, however long' },
      lines: { value: 'N', says: 'lines of each message at most; 6 unless set' },
    },
    examples: [
      ['show --last', 'the end of the conversation that was talked in last'],
      ['show invoice-7 12', 'message #12 of the conversation whose name fits'],
      ['show invoice-7 0-20 --full', 'the first twenty-one, whole'],
    ],
  },
  status: {
    group: 'Look',
    summary: 'how full the last request was, and what was not shown',
    usage: ['status', 'status CONVERSATION', 'status --last'],
    about: ['Without a conversation, the store as a whole and the settings that matter most.'],
    options: last,
    settings: ['store', 'tenant', 'compaction', 'model', 'policy'],
    examples: [
      ['status', 'the store, and what is set'],
      ['status --last', 'the conversation that was talked in last'],
      ['status invoice-7 --json', 'the last hundred requests, for programs'],
    ],
  },
  context: {
    group: 'Look',
    summary: 'what a model would see now, and how full that is',
    usage: ['context CONVERSATION [--model NAME] [--format FORMAT]'],
    about: [
      'Only a look: nothing is sent, nothing is kept, and no model is asked. As openai, anthropic or ai-sdk it is the request that would be sent.',
    ],
    options: {
      ...last,
      ...request,
      next: {
        value: 'TEXT',
        says: 'what the user says next: what is recalled for it stands before it',
      },
      format: { value: 'FORMAT', says: 'text, openai, anthropic or ai-sdk; text unless set' },
      figures: { says: 'the figures alone' },
      full: { says: 'messages whole; otherwise four lines of each' },
    },
    settings: [...named, 'policy', 'compaction', 'tokenizer'],
    examples: [
      ['context --last --figures', 'how full the next request would be'],
      ['context --last --window 8000', 'what a small model would be shown'],
      ['context invoice-7 --next "And the invoice?"', 'with what is recalled for it'],
      ['context invoice-7 --format anthropic', 'the request as JSON'],
    ],
  },
  receipt: {
    group: 'Look',
    summary: 'what compactions did, and what of it was needed again',
    usage: ['receipt CONVERSATION [NUMBER]', 'receipt CONVERSATION --all'],
    about: ['The newest one, unless a number names another. Receipts are kept for the last 200.'],
    options: { ...last, all: { says: 'a line for each' } },
    examples: [
      ['receipt --last', 'what the newest compaction did'],
      ['receipt invoice-7 --all', 'all of them, a line each'],
      ['receipt invoice-7 12', 'the one with the number 12'],
    ],
  },
  chat: {
    group: 'Ask',
    summary: 'talks with a model, in as long a conversation as you like',
    usage: ['chat [CONVERSATION] [--model NAME] [--system TEXT]', 'chat [CONVERSATION] -m TEXT'],
    about: [
      'Without a conversation a new one begins. In a terminal /help shows what can be done beside talking; Ctrl-C stops an answer, and what came of it is kept.',
      'Elsewhere each line of stdin is said, and only answers are written; with --json one event per line.',
      'Models are named provider/model: openai, anthropic, google, openrouter, mistral, groq, deepseek, xai, and on your own machine ollama, lmstudio and vllm. Keys come from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY and so on).',
    ],
    options: {
      ...last,
      ...request,
      new: { says: 'begins a conversation of that name, also where the name fits another' },
      message: { short: 'm', value: 'TEXT', says: 'says this, and ends; - takes all of stdin' },
    },
    settings: [...engine, 'baseUrl'],
    examples: [
      ['chat', 'a new conversation with the model of your settings'],
      ['chat --last', 'goes on where you stopped'],
      [
        'chat plans --model ollama/qwen3:8b --window 32768',
        'a conversation named "plans" with a model on this machine',
      ],
      ['chat plans -m "And what did we decide?"', 'one question, one answer'],
    ],
  },
  recall: {
    group: 'Ask',
    summary: 'finds what was said on something, and where',
    usage: ['recall CONVERSATION WORDS…', 'recall --last WORDS…'],
    about: [
      'Any text is a question. The best comes first, with its place: expand shows more of it.',
    ],
    options: {
      ...last,
      limit: { value: 'N', says: 'so many pieces at most; 5 unless set' },
      tokens: { value: 'N', says: 'so many tokens of them at most; 2000 unless set' },
      full: { says: 'pieces whole; otherwise the messages, and their lines, with the words' },
    },
    settings: ['store', 'tenant', 'tokenizer'],
    examples: [
      ['recall --last which port did we choose', 'what was said on it'],
      ['recall invoice-7 "terms.pdf" --limit 3', 'the three best pieces'],
    ],
  },
  expand: {
    group: 'Ask',
    summary: 'opens what stands behind an anchor, word for word',
    usage: ['expand CONVERSATION PLACES'],
    about: [
      'Places are as a context or a search shows them: 412, 3-17, or several, "3, 17-19". A shell takes # for a comment, so it may be left out. The id of a summary opens what it told.',
    ],
    options: {
      ...last,
      limit: { value: 'N', says: 'so many messages at most; 20 unless set' },
      tokens: { value: 'N', says: 'so many tokens at most' },
    },
    settings: ['store', 'tenant', 'tokenizer'],
    examples: [
      ['expand --last 12', 'message #12, whole'],
      ['expand invoice-7 "3, 17-19"', 'four messages'],
      ['expand invoice-7 412+8000 --tokens 2000', 'message #412 from a character on'],
    ],
  },
  compact: {
    group: 'Change',
    summary: 'compacts now, or shows with --preview what that would do',
    usage: ['compact CONVERSATION [--preview] [--instructions TEXT]'],
    about: [
      'What is below the line is told by rules, or by the summarizer where one is set. Nothing is deleted: undo shows it again, and recall and expand find it.',
    ],
    options: {
      ...last,
      ...request,
      preview: { says: 'only show what would be done' },
      ask: {
        says: 'with --preview: have the summarizer write its summary, which costs what it costs',
      },
      instructions: { value: 'TEXT', says: 'what the summarizer is to dwell on' },
      afresh: { says: 'a summary from the messages again, not from the summary before' },
      full: { says: 'with --preview: all that would stand for the past' },
    },
    settings: engine,
    examples: [
      ['compact --last --preview', 'what would go, and what would stand for it'],
      ['compact invoice-7', 'does it, and shows the receipt'],
      [
        'compact invoice-7 --afresh --instructions "above all the prices"',
        'the summarizer tells it anew, and dwells on the prices',
      ],
    ],
  },
  undo: {
    group: 'Change',
    summary: 'shows again what stood before the last compaction',
    usage: ['undo CONVERSATION [--compactions N]'],
    about: [
      'Nothing is lost by a compaction, so nothing has to be brought back: the context shows what it showed before. None comes by itself afterwards, until throughline compact asks for one or a request would not fit.',
    ],
    options: {
      ...last,
      compactions: { value: 'N', says: 'so many at once; 1 unless set' },
      of: { value: 'MODEL', says: 'of this model; else of the one that was compacted last' },
    },
    examples: [
      ['undo --last', 'the last compaction of the newest conversation'],
      ['undo invoice-7 --compactions 2', 'the last two at once'],
    ],
  },
  pin: {
    group: 'Change',
    summary: 'shows a message in every context, word for word',
    usage: ['pin CONVERSATION PLACE', 'pin CONVERSATION'],
    about: ['Without a place, the pins that there are. What is pinned is never shortened.'],
    options: last,
    examples: [
      ['pin invoice-7 12', 'message #12 stays in sight from now on'],
      ['pin --last', 'what is pinned'],
    ],
  },
  unpin: {
    group: 'Change',
    summary: 'lets a message go that was pinned',
    usage: ['unpin CONVERSATION PLACE'],
    options: last,
    examples: [
      ['unpin invoice-7 12', 'message #12 is a message as others are'],
      ['unpin --last 0', 'the first message of the newest conversation'],
    ],
  },
  purge: {
    group: 'Change',
    summary: 'removes a conversation or a message for good',
    usage: ['purge CONVERSATION', 'purge CONVERSATION PLACE'],
    about: [
      'The only command that loses anything: the messages, their files, and all that was derived from them are overwritten. A conversation goes with the children that it has started. If a purge was killed, run it again: it erases what was left. Asks before, unless --yes is said; then a part of a name will not do.',
    ],
    options: {
      ...last,
      yes: { short: 'y', says: 'do not ask' },
      forks: { says: 'also from conversations that share the messages; otherwise refused' },
    },
    examples: [
      ['purge invoice-7', 'asks, and then removes all of it'],
      ['purge invoice-7 12 --yes', 'one message, without asking'],
    ],
  },
  replay: {
    group: 'Measure',
    summary: 'lives through a transcript again, call by call, in a window',
    usage: [
      'replay FILE [CONVERSATION] [--window TOKENS] [--policy NAME]',
      'replay CONVERSATION',
      'replay --last',
    ],
    about: [
      'Before each reply of the model, what it would have been sent: how full the window is, what is compacted and what of it stays, and what all of it costs beside simpler ways. Each context is counted again and held against the rules of the providers. No model is asked, and your store stays as it is.',
      'Of a file with several conversations the longest, or the one that is named behind it.',
    ],
    options: {
      ...last,
      window: {
        value: 'TOKENS',
        says: 'the window, as 8000 or 8k; 32000 unless set, or "model" for its own',
      },
      calls: { value: 'N', says: 'so many requests at most' },
      speed: { value: 'N', says: 'so many requests a second at most, to watch' },
      html: { value: 'FILE', says: 'also writes the report as one page with plots' },
      quiet: { short: 'q', says: 'no picture and no progress, only the report' },
    },
    settings: [...named, 'policy', 'compaction', 'tokenizer'],
    examples: [
      ['replay session.jsonl', 'a session of yours in a window of 32,000 tokens'],
      ['replay session.jsonl --window 8000 --speed 20', 'in a small one, slowly'],
      ['replay conversations.json "tax return"', 'one chat of an export'],
      ['replay --last --html report.html', 'what you imported last, as a page'],
    ],
  },
  export: {
    group: 'Care',
    summary: 'writes conversations as JSON lines or Markdown',
    usage: ['export CONVERSATION… [--format json|markdown] [--output FILE]', 'export --all'],
    about: [
      'As JSON, throughline import makes the same messages of it again: with their files, their times and their originals, byte for byte. What was derived from them is not in it.',
    ],
    options: {
      ...last,
      all: { says: 'every conversation of the store' },
      format: {
        value: 'FORMAT',
        says: 'json, a line for each message, or markdown; json unless set',
      },
      output: {
        value: 'FILE',
        short: 'o',
        says: 'a file, which must not be there yet; else stdout',
      },
    },
    examples: [
      ['export invoice-7 --output invoice-7.jsonl', 'to a file, whole'],
      ['export --last --format markdown', 'for reading'],
      ['export --all -o everything.jsonl', 'all conversations of the store'],
    ],
  },
  doctor: {
    group: 'Care',
    summary: 'looks whether Node, the store, keys and models are well',
    usage: ['doctor [--online] [--quick]'],
    about: [
      'Reads every message and checks it against its hashes, which takes a moment for a large store; --quick leaves that out. Changes nothing. Keys are looked for and never shown.',
    ],
    options: {
      online: { says: 'also whether the model can be reached' },
      quick: { says: 'the file alone, without its messages' },
    },
    settings: ['store', 'model', 'summarizer', 'baseUrl'],
    examples: [
      ['doctor', 'whether all is well here'],
      ['doctor --online', 'and whether the model answers'],
      ['doctor --quick --json', 'for programs'],
    ],
  },
  config: {
    group: 'Care',
    summary: 'the settings, where each comes from, and how to change them',
    usage: [
      'config',
      'config get KEY',
      'config set KEY VALUE [--project]',
      'config unset KEY [--project]',
      'config path [--project]',
      'config trust [FILE]',
      'config untrust [FILE]',
    ],
    about: [
      "What is built in gives way to your own file, that to the project's (throughline.json), that to the environment (THROUGHLINE_STORE, THROUGHLINE_MODEL and so on), and that to flags. Keys of providers are only ever read from the environment.",
      'The file of a project is ignored until you trust it: look at it, then config trust. That holds for the file as it is now; what config set --project writes is trusted.',
    ],
    options: { project: { says: 'the file of the project instead of your own' } },
    settings: [...named, 'summarizer', 'policy', 'compaction', 'tokenizer', ...places],
    examples: [
      ['config', 'every setting and where it comes from'],
      ['config set model anthropic/claude-sonnet-5-5', 'the model of all commands'],
      ['config set compaction off --project', 'for everybody in this project'],
      ['config unset compaction --project', 'and back'],
      ['config trust', 'shows the settings of the project, and uses them from now on'],
    ],
  },
} satisfies Record<string, CommandForm>
