/** Field names of the Gemini API. */

/** The REST API also accepts these in snake_case; we write only camelCase. */
export const camelNames: readonly string[] = [
  'functionCall functionResponse inlineData fileData mimeType fileUri',
  'executableCode codeExecutionResult toolCall toolResponse displayName',
  'thoughtSignature videoMetadata mediaResolution partMetadata',
  'functionDeclarations parametersJsonSchema',
].flatMap((names) => names.split(' '))

/** Fields that contain more of these names. Arguments and responses contain only names of the caller. */
export const fieldsWithCamelNames: readonly string[] =
  'parts inlineData fileData functionResponse functionDeclarations'.split(' ')

/** Fields of a part that describe its data. */
export const sideFields: readonly string[] =
  'thought thoughtSignature videoMetadata mediaResolution partMetadata'.split(' ')

/** Fields of the data of a part that we write from the fields of our message part. */
export const writtenDataFields: readonly string[] =
  'id name args response mimeType data fileUri'.split(' ')

/** Fields that are allowed only in a message of the model. */
export const modelFields: readonly string[] =
  'functionCall executableCode codeExecutionResult'.split(' ')

/** Schema types as the service writes them. */
export const schemaTypes: readonly string[] =
  'STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL'.split(' ')

/** Schema keywords whose values are data and not schemas. */
export const dataKeywords: readonly string[] = 'default example enum const required'.split(' ')
