/** Patterns and words that recognize text which is no sentence. */

export const machineLines: readonly RegExp[] = [
  // Code: a keyword, and marks that no sentence has there.
  /^\s*(?:import|export|const|let|var|function|class|def|return|if|else|for|while|public|private|static|async|await|func|fn|use|package|from|try|catch|switch|case|type|interface|enum|struct|impl|SELECT|INSERT|UPDATE|DELETE|CREATE)\b.*(?:[;{]\s*$|=>|\(\)|[=!]==?|['"]\s*;?$|\)\s*[:{]\s*$)/,
  /^\s*from \S+ import \S/,
  /[;{}]\s*$|^\s*[{}()[\]]|^\s*(?:\/\/|\/\*|\*\/|<!--|#!|@\w+\()/,
  /^\s*[\w.$[\]'"]+\s?(?:[+-]?=|:=)\s?\S/,
  // Logs: times, levels, stacks, prompts of a shell.
  /^\s*\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:|^\s*\[?\d{2}:\d{2}:\d{2}\b|^\s*\[?(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE|FATAL)[\]:]/,
  /^\s*at \S+ ?\(|^\s*File "[^"]{1,300}", line \d|^\s*Traceback \(|^(?:\S+@\S+[:~]\S*)?[$%] \S|^>>> /,
  /^\w{0,60}(?:Error|Exception): |^\s*\S{1,200}:\d{1,7}:\d{1,7}\b/,
  /^\s*<\/?[\w-]{1,60}(?:\s[^>]{0,200})?>\s*$/,
]

/** Clients wrap machine output in these tags. */
export const machineTags: readonly string[] = [
  ...['system-reminder', 'local-command-stdout', 'local-command-caveat', 'stdout', 'stderr'],
  ...['output', 'environment_context', 'environment_details', 'file', 'file_content', 'document'],
  ...['code', 'log', 'logs', 'pre', 'diff', 'command-message', 'bash-stdout', 'bash-stderr'],
]

/** A full stop after them ends no sentence. */
export const abbreviations: RegExp =
  /^(?:[A-Za-z]|e\.g|i\.e|vs|cf|mr|mrs|ms|dr|st|prof|approx|incl|z\.b|d\.h|bzw|ca|ggf|p\.ex|p\.ej|sr|sra|mme)$/i
