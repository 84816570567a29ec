/** The help of the tour and of the commands around the server, as in `commands-data.ts`. */
import type { CommandForm } from './command.ts'

const serverFolder = {
  folder: {
    value: 'FOLDER',
    says: "the databases; default throughline/server in the user's data folder",
  },
  config: { value: 'FILE', says: 'a JSON file with settings' },
}

const database = {
  value: 'URL',
  says: 'keep conversations in PostgreSQL: postgres://…, or THROUGHLINE_DATABASE',
}

const gatewayOptions = {
  upstream: {
    value: 'URL',
    says: 'where requests go, or anthropic=URL,openai=URL,gemini=URL; default the providers',
  },
  mode: { value: 'MODE', says: 'off, shadow (record, change nothing) or on; default on' },
  port: { value: 'N', says: 'the port; default 8787, 0 for any free one' },
  host: { value: 'ADDRESS', says: 'the address to listen on; default 127.0.0.1' },
  ...serverFolder,
  database,
}

export const tourAndServerForms = {
  tour: {
    group: 'Measure',
    summary: 'run the main commands on a made-up session',
    usage: ['tour [--turns N]'],
    about: [
      'Takes about a minute. It uses a temporary folder, and neither your settings nor your store.',
    ],
    options: { turns: { value: 'N', says: 'the turns of the session; default 100' } },
    settings: [],
    examples: [
      ['tour', 'everything in a minute'],
      ['tour --turns 20', 'with a short session'],
    ],
  },
  serve: {
    group: 'Serve',
    summary: 'serve conversations over REST, for programs in any language',
    usage: [
      'serve [--port N] [--folder FOLDER] [--database URL]',
      'serve --new-key NAME [--role ROLE] [--tenant NAME]',
    ],
    about: [
      'Prints its address, a one-time link to the inspector and, when it starts for the first time, a key. SIGTERM and Ctrl-C stop it after running requests are answered, within 30 seconds.',
      'It needs the package @throughline/server. The file of --config and the variables THROUGHLINE_… set policy, summarizer, limits and retention: docs/server.md.',
    ],
    options: {
      port: { value: 'N', says: 'the port; default 8787, 0 for any free one' },
      host: { value: 'ADDRESS', says: 'the address to listen on; default 127.0.0.1' },
      ...serverFolder,
      database,
      'no-worker': { says: 'leave background jobs to workers; with a database in PostgreSQL' },
      log: { value: 'LEVEL', says: 'silent, error, warn, info or debug; default info' },
      demo: { says: 'put a made-up conversation into an empty database' },
      'new-key': { value: 'NAME', says: 'create a key, print it and exit' },
      role: { value: 'ROLE', says: 'with --new-key: read, write or admin; default admin' },
      tenant: { value: 'NAME', says: 'with --new-key: its tenant; default "default"' },
    },
    settings: [],
    examples: [
      ['serve', 'on 127.0.0.1:8787'],
      ['serve --port 0 --demo', 'on a free port, with a conversation to look at'],
      ['serve --new-key crm --role write --tenant customer-41', 'a key for a program'],
    ],
  },
  gateway: {
    group: 'Serve',
    summary: 'keep requests of agents inside the window',
    usage: ['gateway [--upstream URL] [--mode MODE] [--port N] [--database URL]'],
    about: [
      'Speaks the APIs of OpenAI, Anthropic and Gemini: set its address as the base URL of a client. A request that fits passes byte for byte; of a longer one, only what is left out is replaced. It is part of serve as well.',
      'It needs the package @throughline/server. docs/gateway.md has the settings, and how to point clients at it.',
    ],
    options: {
      ...gatewayOptions,
      log: { value: 'LEVEL', says: 'silent, error, warn, info or debug; default info' },
    },
    settings: [],
    examples: [
      ['gateway', 'in front of OpenAI, Anthropic and Google'],
      ['gateway --upstream http://127.0.0.1:8000/v1', 'in front of a server of your own'],
      ['gateway --mode shadow', 'to see what it would do'],
    ],
  },
  run: {
    group: 'Serve',
    summary: 'run a coding agent through the gateway',
    usage: ['run CLIENT [--upstream URL] [--mode MODE] [-- ARGUMENTS]'],
    about: [
      'CLIENT is claude, codex, opencode, gemini or pi. The address of the gateway is set for this process only; no file of the client is changed. If no gateway answers at the address, one is started, and ends with the client.',
      'It needs the package @throughline/server, and the client on the PATH. doctor --client explains what is wrong: docs/gateway.md.',
    ],
    options: gatewayOptions,
    settings: [],
    examples: [
      ['run claude', 'Claude Code, with its own sign-in'],
      ['run codex -- exec "fix the tests"', 'arguments of the client after --'],
      ['run claude --mode shadow', 'to see what the gateway would do'],
    ],
  },
  mcp: {
    group: 'Serve',
    summary: 'tools that search an agent’s own conversation, over MCP',
    usage: ['mcp [--folder FOLDER] [--database URL] [--config FILE]'],
    about: [
      'An MCP server on standard input and output: an agent starts it. In a session that goes through the gateway, the tools find the conversation of the agent without settings.',
      'It opens the databases of the server, also while a server runs. A key in THROUGHLINE_KEY sets its tenant and role. It needs the package @throughline/server: docs/mcp.md.',
    ],
    options: { ...serverFolder, database },
    settings: [],
    examples: [
      ['mcp', 'on the databases of serve and gateway'],
      ['mcp --folder /var/lib/throughline', 'on another folder'],
    ],
  },
  worker: {
    group: 'Serve',
    summary: 'run the background jobs of servers on one PostgreSQL',
    usage: ['worker [--database URL] [--config FILE] [--retry-dead]'],
    about: [
      'Any number may run. A job of a worker that dies goes to another one within a minute. It needs the packages @throughline/server and @throughline/postgres: docs/postgres.md.',
    ],
    options: {
      database,
      config: serverFolder.config,
      'retry-dead': { says: 'try again the jobs that were given up, and exit' },
    },
    settings: [],
    examples: [
      ['worker --database postgres://app@localhost/chats', 'until it is stopped'],
      ['worker --retry-dead', 'with the URL in THROUGHLINE_DATABASE'],
    ],
  },
  move: {
    group: 'Serve',
    summary: 'move conversations between a SQLite file and PostgreSQL',
    usage: ['move --from PLACE --to PLACE [--tenants NAME,NAME] [--schema NAME]'],
    about: [
      'Copies while the old place is in use, and locks it for the last changes. Every copy is compared with a hash. Run it again to continue an interrupted move. It needs the package @throughline/postgres: docs/postgres.md.',
    ],
    options: {
      from: { value: 'PLACE', says: 'a SQLite file, or postgres://…' },
      to: { value: 'PLACE', says: 'the other of both; it has no other conversations' },
      tenants: {
        value: 'NAMES',
        says: 'from PostgreSQL, as a role that sees one tenant at a time',
      },
      schema: { value: 'NAME', says: 'the schema in PostgreSQL; default throughline' },
    },
    settings: [],
    examples: [
      ['move --from chat.db --to postgres://owner@localhost/chats', 'to PostgreSQL'],
      ['move --from postgres://owner@localhost/chats --to chat.db', 'back'],
    ],
  },
  backup: {
    group: 'Serve',
    summary: 'copy the databases of a server, also while it runs',
    usage: ['backup FOLDER [--folder FOLDER] [--config FILE]'],
    about: [
      'FOLDER is new. The copies are checked with a hash at restore. They contain all conversations and the hashes of keys: protect them like the databases.',
    ],
    options: serverFolder,
    settings: [],
    examples: [
      ['backup /backups/monday', 'into a new folder'],
      ['backup monday --folder /var/lib/throughline', 'of another folder'],
    ],
  },
  restore: {
    group: 'Serve',
    summary: 'restore a backup of a server that does not run',
    usage: ['restore FOLDER [--folder FOLDER] [--replace]'],
    about: [
      'Checks the backup first. Keys that were revoked after the backup work again, and conversations that were purged after it are back.',
    ],
    options: {
      ...serverFolder,
      replace: { says: 'move databases that are there into a folder of their own' },
    },
    settings: [],
    examples: [
      ['restore /backups/monday --folder restored', 'into a new folder, to look at it'],
      ['restore /backups/monday --replace', 'go back to Monday'],
    ],
  },
} satisfies Record<string, CommandForm>
