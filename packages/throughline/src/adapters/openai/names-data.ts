/** Names in OpenAI's formats: types of files, of items, and of calls that the caller answers. */

/** Images that the service accepts; some programs write image/jpg for image/jpeg. */
export const imageTypes: readonly string[] =
  'image/png image/jpeg image/gif image/webp image/jpg'.split(' ')

/** Audio formats by media type. */
export const audioFormats: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
])

/** Prefixes of ids that the service checks. */
export const idPrefixes: Readonly<Record<string, string>> = {
  function_call: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
}

/** Calls that the caller answers, by the type of the answer. */
export const callOfOutput: ReadonlyMap<string, string> = new Map([
  ['function_call_output', 'function_call'],
  ['custom_tool_call_output', 'custom_tool_call'],
  ['computer_call_output', 'computer_call'],
  ['local_shell_call_output', 'local_shell_call'],
  ['shell_call_output', 'shell_call'],
  ['apply_patch_call_output', 'apply_patch_call'],
])

/** Items beside calls and their outputs. */
export const itemTypes: ReadonlySet<string> = new Set(
  [
    'message reasoning item_reference additional_tools tool_search_output',
    'compaction compaction_summary compaction_trigger',
    'mcp_list_tools mcp_approval_request mcp_approval_response',
  ].flatMap((types) => types.split(' ')),
)
