export { convertSnippet, publishSnippet, type ConvertFlow, type PublishFlow } from './flows.ts'
export { KEY_VARIABLE, LANGUAGES, snippet, type Language } from './languages.ts'
export { operationRequest, requestUrl, type RequestParts, type Values } from './request.ts'
