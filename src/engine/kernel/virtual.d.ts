/** The kernel's bytes, which the build makes of `assembly/`. */
declare module 'virtual:rowhouse-kernel' {
  const base64: string
  export default base64
}
