/** Block types of the Messages API by sender, and the image types that it accepts. */
export const userBlocks: readonly string[] = [
  ...['image', 'document', 'tool_result', 'search_result', 'container_upload'],
]
export const assistantBlocks: readonly string[] = [
  ...['thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use'],
]
export const imageTypes: readonly string[] = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
]
