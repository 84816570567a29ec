/** The pages of the site, in the order in which a reader meets them. Every document has one place here. */

export interface NavigationGroup {
  readonly title: string
  /** Paths of Markdown files in the repository, with a short name for the list. */
  readonly pages: readonly (readonly [path: string, name: string])[]
}

/** The first one is the start page. */
export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Start here',
    pages: [
      ['README.md', 'Overview'],
      ['docs/start.md', 'First context in two minutes'],
      ['docs/concepts.md', 'Concepts'],
      ['docs/faq.md', 'Questions and answers'],
    ],
  },
  {
    title: 'How it works',
    pages: [
      ['docs/compaction.md', 'A compaction, step by step'],
      ['docs/recall.md', 'Recall'],
      ['docs/receipts.md', 'Receipts'],
      ['docs/undo.md', 'Preview, undo and edit'],
      ['docs/rewriting.md', 'Edit, remove and purge'],
      ['docs/summaries.md', 'Summaries by a model'],
      ['docs/origins.md', 'Origins of text'],
      ['docs/turn-memory.md', 'Turn memory'],
      ['docs/context-extensions.md', 'Context extensions'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['docs/ai-sdk.md', 'AI SDK'],
      ['docs/clients.md', 'OpenAI and Anthropic clients'],
      ['docs/langchain.md', 'LangChain and LangGraph'],
      ['docs/openai-agents.md', 'OpenAI Agents SDK'],
      ['docs/claude-agent.md', 'Claude Agent SDK'],
      ['docs/mastra.md', 'Mastra'],
      ['docs/mcp.md', 'MCP'],
      ['docs/gateway.md', 'Gateway'],
      ['docs/server.md', 'Server'],
      ['docs/client.md', 'Client of the server'],
      ['docs/inspector.md', 'Inspector'],
      ['docs/postgres.md', 'PostgreSQL'],
      ['docs/browser.md', 'Browser and edge'],
      ['docs/language-models.md', 'Language models'],
      ['examples/chat/README.md', 'Example: a chat'],
      ['examples/tool-loop/README.md', 'Example: an agent with tools'],
      ['examples/route-handler/README.md', 'Example: a route handler'],
      ['examples/gateway/README.md', 'Example: the gateway with curl'],
    ],
  },
  {
    title: 'Policies',
    pages: [
      ['docs/cookbook.md', 'Policy cookbook'],
      ['docs/policies.md', 'Policies'],
      ['docs/defaults.md', 'Defaults'],
      ['docs/rule-digest.md', 'The rule digest'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['docs/api.md', 'API'],
      ['docs/cli.md', 'Command line'],
      ['docs/errors.md', 'Errors'],
      ['docs/glossary.md', 'Glossary'],
    ],
  },
  {
    title: 'Operations',
    pages: [
      ['docs/operations.md', 'Operations'],
      ['docs/security.md', 'Security and threat model'],
      ['docs/support.md', 'Support and upgrades'],
      ['docs/tracing.md', 'Tracing'],
      ['docs/testing.md', 'Testing'],
    ],
  },
  {
    title: 'Compare and migrate',
    pages: [
      ['docs/comparison.md', 'Comparison with others'],
      ['docs/benchmarks.md', 'Benchmarks'],
      ['docs/migrating.md', 'Migrating'],
      ['docs/where-things-come-from.md', 'Names of published designs'],
    ],
  },
  {
    title: 'Project',
    pages: [
      ['CHANGELOG.md', 'Changelog'],
      ['CONTRIBUTING.md', 'Contributing'],
      ['docs/architecture.md', 'Architecture'],
      ['docs/invariants.md', 'Invariants'],
      ['docs/requirements-coverage.md', 'Requirements'],
      ['SECURITY.md', 'Report a vulnerability'],
      ['THIRD-PARTY-NOTICES.md', 'Third-party notices'],
    ],
  },
]

/** The decisions have a list of their own, at this place in the repository. */
export const decisionsFolder = 'docs/decisions'

/** Generated lists of names, which would fill the results of every search. */
export const notSearched: readonly string[] = ['docs/requirements-coverage.md', 'CHANGELOG.md']
