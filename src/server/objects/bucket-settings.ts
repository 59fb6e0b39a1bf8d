/** Where an S3-compatible store is, and as whom it's used. */
export interface BucketSettings {
  /** Null: Amazon's, in the region. */
  readonly endpoint: string | null
  /** Where whoever downloads reaches it; null where they don't, and the server hands bytes on. */
  readonly publicEndpoint: string | null
  readonly bucket: string
  readonly region: string
  /** Null: those of the machine, as Amazon's SDK finds them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
  /** The bucket is in the path, not in the host's name. */
  readonly pathStyle: boolean
}
