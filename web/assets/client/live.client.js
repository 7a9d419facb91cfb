// What a repository's event stream says: progress of a push, and that something arrived.
(() => {
  const { find, say } = window.hearth;
  const regionOf = (event) => event.target.closest?.("[data-push-region]");
  const part = (region, name) => find(`[${name}]`, region)[0];

  document.addEventListener("push.progress", (event) => {
    const region = regionOf(event);
    const line = region && part(region, "data-push-text");
    if (!line) return;
    line.textContent = `A push is under way. ${event.detail.data.trim()}`;
    line.hidden = false;
  });

  document.addEventListener("refs.changed", (event) => {
    const region = regionOf(event);
    if (!region) return;
    if (region.dataset.pushRegion === "reload") {
      location.reload();
      return;
    }
    part(region, "data-push-text").hidden = true;
    part(region, "data-push-done").hidden = false;
    say("New commits have arrived.");
  });
})();
