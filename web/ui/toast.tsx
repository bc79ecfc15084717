import { Toast } from '@base-ui/react/toast';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { CircleCheck, X } from 'lucide-react';
import { text } from '../text/en';

/** What was done, for a few seconds in a corner: what went wrong stands where it went wrong. */
export const toasts = Toast.createToastManager();

function Shown() {
  const { toasts: all } = Toast.useToastManager();
  return all.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Content className="toast-content">
        <CircleCheck size={16} aria-hidden="true" />
        <Toast.Title className="toast-title" />
        <Toast.Close className="quiet icon-button" aria-label={text.close}>
          <X size={14} aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

const place = document.createElement('div');
document.body.append(place);
// Rendered at once: what is said before anything listens would be lost, and the first toast follows just after this.
flushSync(() =>
  createRoot(place).render(
    <Toast.Provider toastManager={toasts}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>,
  ),
);
