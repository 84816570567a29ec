/** The fields, types and roles by which a provider’s own form is recognised. */
export const aiSdkFields = ['providerOptions', 'toolCallId', 'toolName']
export const responsesTypes: readonly unknown[] = [
  ...['input_text', 'output_text', 'input_image', 'input_file'],
]
export const anthropicTypes: readonly unknown[] = [
  ...['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'image', 'document'],
  ...['server_tool_use', 'web_search_tool_result', 'search_result'],
]
export const anthropicFields = ['cache_control', 'tool_use_id']
export const chatFields = ['tool_calls', 'tool_call_id', 'function_call', 'refusal', 'name']
export const chatTypes: readonly unknown[] = ['image_url', 'input_audio', 'refusal']
export const chatRoles: readonly unknown[] = ['developer', 'function']
