/** Names that the Gemini API has for its fields. */

/** The REST API takes these in snake_case as well; we write them in camelCase alone. */
export const camelNames: readonly string[] = [
  ...['functionCall', 'functionResponse', 'inlineData', 'fileData', 'mimeType', 'fileUri'],
  ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'displayName'],
  ...['thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'],
  ...['functionDeclarations', 'parametersJsonSchema'],
]

/** What these hold is spelled by the service; arguments and responses are the caller's data. */
export const spelledInside: readonly string[] = [
  ...['parts', 'inlineData', 'fileData', 'functionResponse', 'functionDeclarations'],
]

/** Fields beside the data of a part, which say more about it. */
export const sideFields: readonly string[] = [
  ...['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'],
]

/** Fields inside the data of a part that are written from ours. */
export const ownFields: readonly string[] = [
  ...['id', 'name', 'args', 'response', 'mimeType', 'data', 'fileUri'],
]

/** Data of parts that only the model has. */
export const modelFields: readonly string[] = [
  ...['functionCall', 'executableCode', 'codeExecutionResult'],
]

/** Types of schemas: the service spells them in capitals. */
export const schemaTypes: readonly string[] = [
  ...['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'],
]

/** Keywords of schemas whose values are data, whatever they look like. */
export const dataKeywords: readonly string[] = [
  ...['default', 'example', 'enum', 'const', 'required'],
]
