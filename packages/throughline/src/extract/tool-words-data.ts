/** Word tables: names of arguments, tools and programs, and file extensions. */

function listOf(words: string): readonly string[] {
  return words.split(', ')
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(listOf(words))
}

/** Argument names that tools use, by their meaning. */
export const argumentNames = {
  path: listOf(
    'path, file_path, filePath, filepath, file, filename, fileName, target_file, targetFile, ' +
      'notebook_path, notebookPath, absolute_path, relative_path, relative_workspace_path, ' +
      'dir_path, AbsolutePath, TargetFile, DirectoryPath, uri',
  ),
  paths: listOf('paths, files, file_paths, filePaths'),
  content: listOf(
    'content, contents, file_text, new_string, newString, newText, new_str, new_source, ' +
      'replacement, replace, insert_text, code_edit, text, body, new',
  ),
  replaced: listOf('old_string, oldString, oldText, old_str, old, search, SEARCH, find'),
  shell: listOf('command, cmd, commandLine, CommandLine, bash, commands'),
  program: listOf('code, script, source, input, __arg1'),
  patch: listOf('patch, patchText, diff, input, unified_diff, changes'),
  query: listOf(
    'pattern, query, regex, q, search_term, search_query, searchTerm, glob, glob_pattern, ' +
      'Query, search, keywords',
  ),
  address: listOf('url, uri, href, link, endpoint, URL'),
}

/** Arguments that do not describe a call: sizes, switches, positions in a file. */
export const switches = setOf(
  'timeout, offset, limit, status, output_mode, head_limit, run_in_background, max_results, ' +
    'page, cursor, encoding, format, type, mode, replace_all, requires_approval, yield_time_ms, ' +
    'max_output_tokens, __proto__',
)

/** The names of file tools and of plan tools consist only of these words. */
export const fileWords = setOf(
  'read, write, edit, view, open, cat, load, show, create, save, replace, insert, append, ' +
    'delete, remove, patch, apply, multi, multiedit, notebook, str, in, to, file, files, text, ' +
    'image, many, and, by, lines',
)
export const planWords = setOf(
  'todo, todos, plan, task, tasks, write, read, update, create, list, get, exit, enter, mode, ' +
    'manage, set, add, complete, stop, output, status, todowrite, todoread',
)
/** Words in the names of tools that change only a part of a file. */
export const editWords = setOf('insert, edit, append, replace, notebook')
export const runWords = setOf('bash, shell, exec, execute, terminal, command, run, powershell')

/** Shell programs by what they do. */
export const readers = setOf('cat, head, tail, less, more, nl, bat, wc, sed, awk')
export const writers = setOf('touch, tee, truncate')
export const searchers = setOf('grep, egrep, fgrep, rg, ag, ack, find, fd, git grep')
export const viewers = setOf('ls, tree, git log, git show, git diff, git blame, sort')
/** The first argument of these is a script or a pattern. */
export const scriptPrograms = setOf('sed, awk, grep, egrep, fgrep, rg, ag, perl')
export const setupPrograms = setOf('cd, set, export, source, ., pushd, clear, unset')
export const commandPrefixes = setOf('sudo, env, time, nohup, command, exec, then, do')

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
