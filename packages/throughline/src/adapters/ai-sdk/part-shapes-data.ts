/** The schemas of the SDK's model messages as tables of fields. Unknown fields pass if they are JSON. */
import type { Role } from '../../domain/message.ts'
import { isText, optional, type Shape } from '../rules.ts'
import { isPlain } from '../unknown-json.ts'
import {
  boolean,
  checkBase64Text,
  checkByType,
  checkFileData,
  checkList,
  checkUrl,
  fileDataThat,
  fileId,
  filled,
  json,
  references,
  type Shapes,
  string,
} from './part-checks.ts'

const fileShape = { data: checkFileData, mediaType: filled, filename: optional(string) }
const base64Shape = { ...fileShape, data: checkBase64Text }

export const itemShapes: Shapes = {
  text: { text: string },
  file: {
    ...fileShape,
    data: fileDataThat(
      'data with a tag in the output of a tool',
      (value) => isPlain(value) && isText(value['type']),
    ),
  },
  'file-data': base64Shape,
  'file-url': { url: checkUrl, mediaType: optional(filled) },
  'file-id': { fileId },
  'file-reference': { providerReference: references },
  'image-data': base64Shape,
  'image-url': { url: checkUrl },
  'image-file-id': { fileId },
  'image-file-reference': { providerReference: references },
  custom: {},
}

const outputShapes: Shapes = {
  text: { value: string },
  json: { value: json },
  'error-text': { value: string },
  'error-json': { value: json },
  'execution-denied': { reason: optional(string) },
  content: { value: checkList(checkByType(itemShapes)) },
}

const resultShape: Shape = {
  toolCallId: filled,
  toolName: filled,
  output: checkByType(outputShapes),
}

export const partShapes: Readonly<Record<Role, Shapes>> = {
  system: {},
  user: {
    text: { text: string },
    image: {
      image: fileDataThat('without a tag', (value) => !isPlain(value) || !('type' in value)),
      mediaType: optional(filled),
      filename: optional(string),
    },
    file: fileShape,
  },
  assistant: {
    text: { text: string },
    file: fileShape,
    reasoning: { text: string },
    // Reasoning files are never references or text.
    'reasoning-file': {
      data: fileDataThat(
        'bytes or an address',
        (value) => !isPlain(value) || value['type'] === 'data' || value['type'] === 'url',
      ),
      mediaType: filled,
    },
    custom: { kind: filled },
    'tool-call': {
      toolCallId: filled,
      toolName: filled,
      input: json,
      providerExecuted: optional(boolean),
    },
    'tool-result': resultShape,
    'tool-approval-request': {
      approvalId: filled,
      toolCallId: filled,
      reason: optional(string),
      isAutomatic: optional(boolean),
      signature: optional(string),
    },
  },
  tool: {
    'tool-result': resultShape,
    'tool-approval-response': {
      approvalId: filled,
      approved: boolean,
      reason: optional(string),
      providerExecuted: optional(boolean),
    },
  },
}
