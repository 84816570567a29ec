/** Field names of the Gemini API. */

/** The REST API also accepts these in snake_case; we write only camelCase. */
export const camelNames: readonly string[] = [
  ...['functionCall', 'functionResponse', 'inlineData', 'fileData', 'mimeType', 'fileUri'],
  ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'displayName'],
  ...['thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'],
  ...['functionDeclarations', 'parametersJsonSchema'],
]

/** Fields whose content has the service's own field names; arguments and responses are the caller's data. */
export const spelledInside: readonly string[] = [
  ...['parts', 'inlineData', 'fileData', 'functionResponse', 'functionDeclarations'],
]

/** Fields beside the data of a part that describe it. */
export const sideFields: readonly string[] = [
  ...['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'],
]

/** Fields inside the data of a part that are written from our own fields. */
export const ownFields: readonly string[] = [
  ...['id', 'name', 'args', 'response', 'mimeType', 'data', 'fileUri'],
]

/** Data that only the model's parts may have. */
export const modelFields: readonly string[] = [
  ...['functionCall', 'executableCode', 'codeExecutionResult'],
]

/** Schema types as the service writes them. */
export const schemaTypes: readonly string[] = [
  ...['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'],
]

/** Schema keywords whose values are data and not schemas. */
export const dataKeywords: readonly string[] = [
  ...['default', 'example', 'enum', 'const', 'required'],
]
