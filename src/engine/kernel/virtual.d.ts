/** The compiled kernel; see `vite-plugin.ts`. */
declare module 'virtual:rowhouse-kernel' {
  const base64: string
  export default base64
}
