/** Word tables: names of arguments, tools and programs, and file extensions. */

/** Argument names that tools use, by their meaning. */
export const argumentNames = {
  path: [
    ...(['path', 'file_path', 'filePath', 'filepath', 'file', 'filename', 'fileName'] as const),
    ...(['target_file', 'targetFile', 'notebook_path', 'notebookPath', 'absolute_path'] as const),
    ...(['relative_path', 'relative_workspace_path', 'dir_path'] as const),
    ...(['AbsolutePath', 'TargetFile', 'DirectoryPath', 'uri'] as const),
  ],
  paths: ['paths', 'files', 'file_paths', 'filePaths'],
  content: [
    ...(['content', 'contents', 'file_text', 'new_string', 'newString', 'newText'] as const),
    ...(['new_str', 'new_source', 'replacement', 'replace', 'insert_text'] as const),
    ...(['code_edit', 'text', 'body', 'new'] as const),
  ],
  replaced: ['old_string', 'oldString', 'oldText', 'old_str', 'old', 'search', 'SEARCH', 'find'],
  shell: ['command', 'cmd', 'commandLine', 'CommandLine', 'bash', 'commands'],
  program: ['code', 'script', 'source', 'input', '__arg1'],
  patch: ['patch', 'patchText', 'diff', 'input', 'unified_diff', 'changes'],
  query: [
    ...(['pattern', 'query', 'regex', 'q', 'search_term', 'search_query', 'searchTerm'] as const),
    ...(['glob', 'glob_pattern', 'Query', 'search', 'keywords'] as const),
  ],
  address: ['url', 'uri', 'href', 'link', 'endpoint', 'URL'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Arguments that do not describe a call: sizes, switches, positions in a file. */
export const switches: ReadonlySet<string> = new Set([
  ...['timeout', 'offset', 'limit', 'status', 'output_mode', 'head_limit', 'run_in_background'],
  ...['max_results', 'page', 'cursor', 'encoding', 'format', 'type', 'mode', 'replace_all'],
  ...['requires_approval', 'yield_time_ms', 'max_output_tokens', '__proto__'],
])

/** The names of file tools and of plan tools consist only of these words. */
export const fileWords: ReadonlySet<string> = new Set(
  (
    'read write edit view open cat load show create save replace insert append delete remove patch ' +
    'apply multi multiedit notebook str in to file files text image many and by lines'
  ).split(' '),
)
export const planWords: ReadonlySet<string> = new Set(
  (
    'todo todos plan task tasks write read update create list get exit enter mode manage set add ' +
    'complete stop output status todowrite todoread'
  ).split(' '),
)
/** Words in the names of tools that change only a part of a file. */
export const editWords: ReadonlySet<string> = new Set([
  ...['insert', 'edit', 'append', 'replace', 'notebook'],
])
export const runWords: readonly string[] = [
  ...['bash', 'shell', 'exec', 'execute', 'terminal', 'command', 'run', 'powershell'],
]

/** Shell programs by what they do. */
export const readers: ReadonlySet<string> = new Set([
  ...['cat', 'head', 'tail', 'less', 'more', 'nl', 'bat', 'wc', 'sed', 'awk'],
])
export const writers: ReadonlySet<string> = new Set(['touch', 'tee', 'truncate'])
export const searchers: ReadonlySet<string> = new Set([
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'find', 'fd', 'git grep'],
])
export const viewers: ReadonlySet<string> = new Set([
  ...['ls', 'tree', 'git log', 'git show', 'git diff', 'git blame', 'sort'],
])
/** The first argument of these is a script or a pattern. */
export const scriptPrograms: ReadonlySet<string> = new Set([
  ...['sed', 'awk', 'grep', 'egrep', 'fgrep', 'rg', 'ag', 'perl'],
])
export const setupPrograms: ReadonlySet<string> = new Set([
  ...['cd', 'set', 'export', 'source', '.', 'pushd', 'clear', 'unset'],
])
export const commandPrefixes: ReadonlySet<string> = new Set([
  ...['sudo', 'env', 'time', 'nohup', 'command', 'exec', 'then', 'do'],
])

/** File types with their extensions. */
export const fileTypes: Readonly<Record<string, string>> = {
  typescript: 'ts tsx mts cts',
  javascript: 'js jsx mjs cjs',
  python: 'py pyi',
  notebook: 'ipynb',
  ruby: 'rb',
  rust: 'rs',
  kotlin: 'kt kts',
  csharp: 'cs',
  cpp: 'cpp cc cxx hpp hh',
  c: 'c h',
  shell: 'sh bash zsh',
  markdown: 'md mdx markdown',
  yaml: 'yaml yml',
  html: 'html htm',
  text: 'txt log',
  image: 'png jpg jpeg gif webp svg',
}

type FileFamily = 'read' | 'write' | 'edit' | 'patch' | 'delete' | 'list'
type OtherFamily = 'shell' | 'search' | 'web' | 'database' | 'http' | 'plan' | 'agent' | 'mcp'
export type ToolFamily = FileFamily | OtherFamily | 'unknown'

/** What a call must contain besides the word. */
export type Needs = 'nothing' | 'file' | 'unknownCall' | 'noPrompt' | 'prompt'

/** In this order; a word counts only if the call meets its requirement. */
export const families: readonly (readonly [ToolFamily, Needs, readonly string[]])[] = [
  ['plan', 'noPrompt', ['todo', 'todos', 'plan', 'task', 'tasks', 'todowrite', 'todoread']],
  ['patch', 'file', ['patch', 'diff']],
  ['edit', 'file', ['edit', 'replace', 'insert', 'append', 'modify', 'undo', 'multiedit']],
  ['delete', 'file', ['delete', 'remove', 'rm', 'unlink']],
  ['shell', 'nothing', ['bash', 'shell', 'terminal', 'powershell']],
  ['shell', 'unknownCall', ['exec', 'execute', 'command', 'run']],
  ['web', 'nothing', ['web', 'websearch', 'webfetch', 'browse', 'browser', 'crawl', 'scrape']],
  ['web', 'unknownCall', ['fetch', 'navigate', 'google']],
  ['search', 'nothing', ['grep', 'search', 'find', 'glob', 'ripgrep', 'rg', 'query', 'lookup']],
  ['search', 'nothing', ['codesearch', 'duckduckgo', 'retriever', 'retrieve']],
  ['list', 'nothing', ['ls', 'list', 'tree', 'dir', 'directory']],
  ['http', 'nothing', ['http', 'curl']],
  ['database', 'nothing', ['sql', 'database', 'db']],
  ['agent', 'prompt', ['agent', 'subagent', 'delegate', 'spawn', 'task']],
  ['write', 'file', ['write', 'create', 'save', 'touch', 'mkdir']],
  ['read', 'file', ['read', 'view', 'open', 'cat', 'get', 'load', 'show', 'head', 'tail']],
]
