export { convertSnippet, publishSnippet } from './flows.ts'
export {
  KEY_VARIABLE,
  LANGUAGES,
  operationRequest,
  requestUrl,
  snippet,
  type Language,
  type RequestParts,
  type Values,
} from './languages.ts'
