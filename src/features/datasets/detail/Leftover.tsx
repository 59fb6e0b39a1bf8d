import { explain } from '../../shared/problem.ts'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Link } from 'react-router'
import type { DatasetDetails } from '../../../api/client.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { foldName, leftoverOf } from '../model/names.ts'
import { useEntries, useUpdateDataset } from '../queries.ts'

/** Explains a dataset that is left over from a retry that was cut off, and finishes that. */
export function Leftover({ dataset }: { readonly dataset: DatasetDetails }) {
  const wanted = leftoverOf(dataset.name)
  return wanted === null ? null : <Explained dataset={dataset} wanted={wanted} />
}

function Explained({ dataset, wanted }: { readonly dataset: DatasetDetails; readonly wanted: string }) {
  const { data } = useEntries()
  const update = useUpdateDataset(dataset.id)
  const other = data?.find((entry) => foldName(entry.name) === foldName(wanted))
  return (
    <Notice
      tone="warn"
      flush
      icon={<TriangleAlert aria-hidden />}
      actions={
        other ? null : (
          <Button size="small" disabled={update.isPending} onClick={() => update.mutate({ name: wanted })}>
            Call it “{wanted}”
          </Button>
        )
      }
    >
      <p>
        <strong>This is left over from a retry of “{wanted}” that was cut off.</strong> It holds every table that was
        loaded.
      </p>
      <p>
        {other ? (
          <>
            <Link to={`/datasets/${encodeURIComponent(other.id)}`}>“{other.name}”</Link> is still there too. Look at
            both: delete the one that lacks tables, then give this one its name.
          </>
        ) : (
          'The one that it was to replace is gone already: give it its name.'
        )}
      </p>
      {update.error ? <p role="alert">{explain(update.error, 'It wasn’t renamed').message}</p> : null}
    </Notice>
  )
}
