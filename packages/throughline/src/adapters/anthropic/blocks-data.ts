/** Block types of the Messages API by sender, and the image types that it accepts. */
export const userBlocks = 'image document tool_result search_result container_upload'.split(' ')
export const assistantBlocks =
  'thinking redacted_thinking tool_use server_tool_use mcp_tool_use'.split(' ')
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** Models that take a system prompt, but no system messages between the others. */
export const olderModels = /claude-(?:instant|[123]\b|(?:opus|sonnet|haiku)-[34]\b)/
