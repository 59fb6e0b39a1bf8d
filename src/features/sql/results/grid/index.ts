export { ResultPanel } from './ResultPanel.tsx'
