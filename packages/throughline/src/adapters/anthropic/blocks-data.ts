/** Kinds of blocks in the Messages API, by who may send them, and the pictures that it takes. */
export const userBlocks: readonly string[] = [
  ...['image', 'document', 'tool_result', 'search_result', 'container_upload'],
]
export const assistantBlocks: readonly string[] = [
  ...['thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use'],
]
export const pictureTypes: readonly string[] = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
]
