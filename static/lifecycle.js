// The page's comings and goings: hidden and shown, network on and off, into the back/forward cache and out of it.

/**
 * @param {{start: () => void, stop: () => void, check: () => void, onNetwork: (online: boolean) => void}} on
 */
export function followPage({ start, stop, check, onNetwork }) {
  addEventListener("online", () => onNetwork(true));
  addEventListener("offline", () => onNetwork(false));
  // A page that goes away gives the stream and the lead back at once; one that comes back starts afresh.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && start());
  document.addEventListener("visibilitychange", check);
}
