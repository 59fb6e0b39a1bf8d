export { SqlEditor } from './SqlEditor.tsx'
