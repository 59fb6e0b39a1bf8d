import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useDatasets } from '../context.tsx'
import type { PartialDataset } from '../store/creation.ts'

/** The dataset is there without some of its tables: what that means, and what can be done. */
export function PartialNotice({ partial }: { readonly partial: PartialDataset }) {
  const { creation } = useDatasets()
  const navigate = useNavigate()
  return (
    <Notice
      tone="warn"
      live="alert"
      flush
      icon={<TriangleAlert aria-hidden />}
      actions={
        <Button
          size="small"
          onClick={() => {
            creation.reset()
            void navigate(`/datasets/${encodeURIComponent(partial.id)}`, { replace: true })
          }}
        >
          Keep it without them
        </Button>
      }
    >
      <p>
        <strong>Some tables weren’t loaded.</strong> The others are in “{partial.name}” already.
      </p>
      <p>
        Correct what failed below, then retry: only that is uploaded again. The whole dataset takes the place of this
        one when every table is loaded, and not before.
      </p>
    </Notice>
  )
}
