/**
 * The help of every command, in the order of the overview. Only texts: showing the help loads no command,
 * and running a command loads no other.
 */
import type { CommandForm } from './command.ts'
import { tourAndServerForms } from './tour-and-server-forms-data.ts'

export const firstMinutes = [
  ['import session.jsonl', 'import a transcript'],
  ['list', 'list the stored conversations'],
  ['replay --last --window 32000', 'simulate it in a small window'],
  ['context --last --window 8000', 'see what a model would receive'],
  ['compact --last --preview', 'dry run of a compaction'],
  ['recall --last which port', 'search the conversation'],
  ['receipt --last', 'see what the last compaction did'],
] as const

const last = {
  last: { says: 'the most recently active conversation, instead of a name' },
}

const request = {
  system: { value: 'TEXT', says: 'the system prompt; @FILE reads it from a file' },
  window: { value: 'TOKENS', says: 'use this context window, as 32000 or 32k' },
}

const named = ['store', 'tenant', 'model'] as const
const places = ['baseUrl', 'models', 'providers'] as const

/** The settings that change what an engine does. */
const engine = [...named, 'policy', 'summarizer', 'compaction', 'tokenizer'] as const

export const commandForms = {
  import: {
    group: 'Import',
    summary: 'import conversations from other tools',
    usage: ['import FILE… [--format NAME] [--into ID] [--dry-run]', 'import FOLDER…', 'import -'],
    about: [
      'The format is detected from the content: claude-code, codex, pi, opencode, chatgpt, openai, anthropic, ai-sdk, messages, text, mini-swe, throughline. Folders are searched for JSON and JSONL transcripts; with --format text, for .txt and .md files.',
      'Importing a file again adds only new messages, even if the first import was interrupted. If the file differs from messages that were imported before, the differing part becomes a fork; the first conversation stays as it is.',
      'Import never opens a path or URL that a transcript mentions.',
    ],
    options: {
      format: { value: 'NAME', says: 'the format, instead of detecting it' },
      'on-broken': { value: 'skip|abort', says: 'on a broken line; default skip' },
      into: { value: 'ID', says: 'append to this conversation, instead of its own' },
      'dry-run': { says: 'read and count, write nothing' },
    },
    examples: [
      ['import ~/.claude/projects', 'all your Claude Code sessions'],
      ['import conversations.json', "ChatGPT's export; each chat becomes a conversation"],
      ['import talk.txt --format text', 'text with "User:" and "Assistant:"'],
      ['import - --into invoice-7', 'standard input, into one conversation'],
    ],
  },
  list: {
    group: 'Inspect',
    summary: 'list the conversations, most recently active first',
    usage: ['list [TEXT] [--limit N | --all]'],
    about: [
      'TEXT filters by id or title. Child conversations, which a tool call of another conversation started, are hidden without --children.',
    ],
    options: {
      limit: { value: 'N', says: 'at most N conversations; default 20' },
      all: { says: 'all conversations' },
      children: { says: 'include child conversations' },
    },
    examples: [
      ['list', 'the 20 most recently active'],
      ['list invoice --all', 'all with "invoice" in the id or title'],
      ['list --json', 'for programs'],
    ],
  },
  show: {
    group: 'Inspect',
    summary: 'show the messages of a conversation',
    usage: ['show CONVERSATION [NUMBER | FROM-TO] [--full]', 'show --last'],
    about: [
      'Without a message number, the newest ten. Long messages are cut; --full shows them whole. With --json, one line per message.',
    ],
    options: {
      ...last,
      all: { says: 'every message' },
      full: { says: 'show messages whole' },
      lines: { value: 'N', says: 'at most N lines per message; default 6' },
    },
    examples: [
      ['show --last', 'the end of the most recently active conversation'],
      ['show invoice-7 12', 'message #12'],
      ['show invoice-7 0-20 --full', 'the first 21 messages, whole'],
    ],
  },
  status: {
    group: 'Inspect',
    summary: 'show how full the last request was and what it left out',
    usage: ['status', 'status CONVERSATION', 'status --last'],
    about: ['Without a conversation: the store and the most important settings.'],
    options: last,
    settings: ['store', 'tenant', 'compaction', 'model', 'policy'],
    examples: [
      ['status', 'the store and the settings'],
      ['status --last', 'the most recently active conversation'],
      ['status invoice-7 --json', 'the last 100 requests, for programs'],
    ],
  },
  context: {
    group: 'Inspect',
    summary: 'show what a model would receive now, and its size',
    usage: ['context CONVERSATION [--model NAME] [--format FORMAT]'],
    about: [
      'A dry run: nothing is sent or stored, and no model is called. With --format openai, anthropic or ai-sdk it prints the request as JSON.',
    ],
    options: {
      ...last,
      ...request,
      next: {
        value: 'TEXT',
        says: 'the next user message; recalled messages are inserted before it',
      },
      format: { value: 'FORMAT', says: 'text, openai, anthropic or ai-sdk; default text' },
      figures: { says: 'only the figures, no messages' },
      full: { says: 'show messages whole; otherwise four lines of each' },
    },
    settings: [...named, 'policy', 'compaction', 'tokenizer'],
    examples: [
      ['context --last --figures', 'how full the next request would be'],
      ['context --last --window 8000', 'the same for a small model'],
      ['context invoice-7 --next "And the invoice?"', 'with recalled messages'],
      ['context invoice-7 --format anthropic', 'the request as JSON'],
    ],
  },
  receipt: {
    group: 'Inspect',
    summary: 'show what a compaction left out, and what was used later',
    usage: ['receipt CONVERSATION [NUMBER]', 'receipt CONVERSATION --all'],
    about: ['The newest receipt, unless you give a number of --all. The last 200 are kept.'],
    options: { ...last, all: { says: 'all receipts, one line each' } },
    examples: [
      ['receipt --last', 'the newest compaction'],
      ['receipt invoice-7 --all', 'all compactions, one line each'],
      ['receipt invoice-7 12', 'receipt number 12'],
    ],
  },
  chat: {
    group: 'Use',
    summary: 'chat with a model in a conversation of any length',
    usage: ['chat [CONVERSATION] [--model NAME] [--system TEXT]', 'chat [CONVERSATION] -m TEXT'],
    about: [
      'Without a conversation, a new one is created. In a terminal, /help lists the slash commands; Ctrl-C stops an answer and keeps the received part.',
      'In a pipe, each line of stdin is a message, and only the answers are printed; with --json, one event per line.',
      'Models are named provider/model. Known providers: openai, anthropic, google, openrouter, mistral, groq, deepseek, xai, and on your own machine ollama, lmstudio and vllm. Keys come from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, …).',
    ],
    options: {
      ...last,
      ...request,
      new: { says: 'create a conversation with this name, even if the name matches another' },
      message: { short: 'm', value: 'TEXT', says: 'send one message, then exit; - reads stdin' },
    },
    settings: [...engine, 'baseUrl'],
    examples: [
      ['chat', 'a new conversation with the default model'],
      ['chat --last', 'continue the most recently active conversation'],
      [
        'chat plans --model ollama/qwen3:8b --window 32768',
        'a conversation named "plans" with a local model',
      ],
      ['chat plans -m "And what did we decide?"', 'one question, one answer'],
    ],
  },
  recall: {
    group: 'Use',
    summary: 'search the messages of a conversation',
    usage: ['recall CONVERSATION WORDS…', 'recall --last WORDS…'],
    about: ['The best match comes first, with its message number; expand shows more of it.'],
    options: {
      ...last,
      limit: { value: 'N', says: 'at most N results; default 5' },
      tokens: { value: 'N', says: 'at most N tokens of results; default 2000' },
      origin: {
        value: 'WHO',
        says: 'only words of: person, application, developer, model, agent, tool, summary',
      },
      full: { says: 'show results whole; otherwise only the matching messages and lines' },
    },
    settings: ['store', 'tenant', 'tokenizer'],
    examples: [
      ['recall --last which port did we choose', 'find the port'],
      ['recall invoice-7 "terms.pdf" --limit 3', 'the three best results'],
      ['recall --last port --origin person', 'only what someone typed'],
    ],
  },
  expand: {
    group: 'Use',
    summary: 'print messages by number, word for word',
    usage: ['expand CONVERSATION NUMBERS'],
    about: [
      'Numbers are those that context and recall print: 412, 3-17, or several, "3, 17-19". The # is optional, because shells treat it as a comment. The id of a summary prints the messages that it covers.',
    ],
    options: {
      ...last,
      limit: { value: 'N', says: 'at most N messages; default 20' },
      tokens: { value: 'N', says: 'at most N tokens' },
    },
    settings: ['store', 'tenant', 'tokenizer'],
    examples: [
      ['expand --last 12', 'message #12, whole'],
      ['expand invoice-7 "3, 17-19"', 'four messages'],
      ['expand invoice-7 412+8000 --tokens 2000', 'message #412 from character 8000'],
    ],
  },
  compact: {
    group: 'Change',
    summary: 'compact now; --preview is a dry run',
    usage: ['compact CONVERSATION [--preview] [--instructions TEXT]'],
    about: [
      'Older messages are replaced by a digest in the context: written by rules (no LLM), or by the summarizer if one is set. Nothing is deleted: undo shows the messages again, and recall and expand find them.',
    ],
    options: {
      ...last,
      ...request,
      preview: { says: 'dry run: show the result, change nothing' },
      ask: { says: 'with --preview: call the summarizer too, which costs tokens' },
      instructions: { value: 'TEXT', says: 'what the summarizer should focus on' },
      afresh: { says: 'summarize from the messages, not from the previous summary' },
      full: { says: 'with --preview: show the digest whole' },
    },
    settings: engine,
    examples: [
      ['compact --last --preview', 'what would be summarized, and the digest'],
      ['compact invoice-7', 'compact, and print the receipt'],
      [
        'compact invoice-7 --afresh --instructions "above all the prices"',
        'a new summary with a focus on the prices',
      ],
    ],
  },
  undo: {
    group: 'Change',
    summary: 'undo the last compaction',
    usage: ['undo CONVERSATION [--compactions N]'],
    about: [
      'The context shows the same messages as before the compaction. Auto-compaction is then off for this model, so that the next request does not compact again. throughline compact turns it back on. A request that would not fit the window is still compacted.',
    ],
    options: {
      ...last,
      compactions: { value: 'N', says: 'undo the last N; default 1' },
      of: { value: 'MODEL', says: 'the model; default: the one that was compacted last' },
    },
    examples: [
      ['undo --last', 'the last compaction of the most recently active conversation'],
      ['undo invoice-7 --compactions 2', 'the last two'],
    ],
  },
  pin: {
    group: 'Change',
    summary: 'keep a message in every context, word for word',
    usage: ['pin CONVERSATION NUMBER', 'pin CONVERSATION'],
    about: ['Without a number, lists the pins. A pinned message is never shortened.'],
    options: last,
    examples: [
      ['pin invoice-7 12', 'pin message #12'],
      ['pin --last', 'list the pins'],
    ],
  },
  unpin: {
    group: 'Change',
    summary: 'remove a pin',
    usage: ['unpin CONVERSATION NUMBER'],
    options: last,
    examples: [
      ['unpin invoice-7 12', 'unpin message #12'],
      ['unpin --last 0', 'unpin the first message of the most recently active conversation'],
    ],
  },
  purge: {
    group: 'Change',
    summary: 'delete a conversation or a message permanently',
    usage: ['purge CONVERSATION', 'purge CONVERSATION NUMBER'],
    about: [
      'The only command that deletes data: it overwrites the messages, their files and everything derived from them. A conversation is deleted with its child conversations. If a purge was interrupted, run it again to erase the rest. It asks for confirmation; with --yes it does not, and needs the whole id.',
    ],
    options: {
      ...last,
      yes: { short: 'y', says: 'do not ask' },
      forks: { says: 'delete shared messages from forks too; refused otherwise' },
    },
    examples: [
      ['purge invoice-7', 'ask, then delete the conversation'],
      ['purge invoice-7 12 --yes', 'delete one message without asking'],
    ],
  },
  replay: {
    group: 'Measure',
    summary: 'simulate a transcript, request by request, in a window',
    usage: [
      'replay FILE [CONVERSATION] [--window TOKENS] [--policy NAME]',
      'replay CONVERSATION',
      'replay --last',
    ],
    about: [
      'Builds the context before each reply of the model and reports the size of each request, the compactions, and the cost compared with simpler methods. Each context is counted again and checked against the rules of the providers. No model is called, and your store is not changed.',
      'From a file with several conversations it takes the longest, or the one named after the file.',
    ],
    options: {
      ...last,
      window: {
        value: 'TOKENS',
        says: 'the context window, as 8000 or 8k; "model" for its own; default 32000',
      },
      calls: { value: 'N', says: 'at most N requests' },
      speed: { value: 'N', says: 'at most N requests per second' },
      html: { value: 'FILE', says: 'also write the report as an HTML page with plots' },
      quiet: { short: 'q', says: 'no live picture, only the report' },
    },
    settings: [...named, 'policy', 'compaction', 'tokenizer'],
    examples: [
      ['replay session.jsonl', 'a session in a window of 32,000 tokens'],
      ['replay session.jsonl --window 8000 --speed 20', 'in a small window, slowly'],
      ['replay conversations.json "tax return"', 'one chat of an export'],
      ['replay --last --html report.html', 'the most recently active conversation, as a page'],
    ],
  },
  ...tourAndServerForms,
  export: {
    group: 'Maintain',
    summary: 'write conversations as JSON lines or Markdown',
    usage: ['export CONVERSATION… [--format json|markdown] [--output FILE]', 'export --all'],
    about: [
      'throughline import reads the JSON lines back: the same messages with their files, times and original bytes. Derived data (summaries, receipts, indexes) is not exported.',
    ],
    options: {
      ...last,
      all: { says: 'every conversation of the store' },
      format: {
        value: 'FORMAT',
        says: 'json (one line per message) or markdown; default json',
      },
      output: {
        value: 'FILE',
        short: 'o',
        says: 'a new file; default stdout',
      },
    },
    examples: [
      ['export invoice-7 --output invoice-7.jsonl', 'to a file'],
      ['export --last --format markdown', 'for reading'],
      ['export --all -o everything.jsonl', 'all conversations of the store'],
    ],
  },
  doctor: {
    group: 'Maintain',
    summary: 'check Node, the store, API keys and models',
    usage: ['doctor [--online] [--quick] [--space]', 'doctor --client NAME [--gateway URL]'],
    about: [
      'Checks every message against its hashes, which takes a while for a large store; --quick skips that. Changes nothing, and never prints a key.',
    ],
    options: {
      online: { says: 'also call the provider of the model' },
      quick: { says: 'check the file, not its messages' },
      space: { says: 'also list what the bytes of the store are used for' },
      client: { value: 'NAME', says: 'only check whether this client reaches the gateway' },
      gateway: { value: 'URL', says: 'with --client: its address; default http://127.0.0.1:8787' },
    },
    settings: ['store', 'model', 'summarizer', 'baseUrl'],
    examples: [
      ['doctor', 'check everything on this machine'],
      ['doctor --online', 'also check that the model can be reached'],
      ['doctor --quick --json', 'for programs'],
      ['doctor --quick --space', 'why the store is as large as it is'],
      ['doctor --client claude', 'why Claude Code does not reach the gateway'],
    ],
  },
  config: {
    group: 'Maintain',
    summary: 'show and change the settings',
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
      'Later layers override earlier ones: defaults, your own file, the project file (throughline.json), environment variables (THROUGHLINE_STORE, THROUGHLINE_MODEL, …), flags. API keys are read only from the environment.',
      'A project file is ignored until you trust it: read it, then run config trust. Trust ends when the file changes; config set --project renews it.',
    ],
    options: { project: { says: 'the project file instead of your own' } },
    settings: [...named, 'summarizer', 'policy', 'compaction', 'tokenizer', ...places],
    examples: [
      ['config', 'every setting and where it comes from'],
      ['config set model anthropic/claude-sonnet-5-5', 'the default model'],
      ['config set compaction off --project', 'for everyone in this project'],
      ['config unset compaction --project', 'back to the default'],
      ['config trust', 'show and trust the project file'],
    ],
  },
} satisfies Record<string, CommandForm>
