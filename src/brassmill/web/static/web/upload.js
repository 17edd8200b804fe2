// A record that is chosen, or dropped anywhere on the page, opens at once. Without this script, a button shows it.
(() => {
  "use strict";
  const file = document.getElementById("file");
  const hasFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (isOver) => document.body.classList.toggle("dropping", isOver);

  document.getElementById("drop-help").hidden = false;
  const open = () => { if (file.files.length) file.form.requestSubmit(); };
  file.addEventListener("change", open);
  // It may have been chosen before this script ran. Going back restores a file that was opened already.
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") open();

  document.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return; // dragged text goes where it is dropped
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    mark(true);
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
  document.addEventListener("drop", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    mark(false);
    const [dropped] = event.dataTransfer.files;
    if (!dropped) return;
    const one = new DataTransfer(); // the form takes a single file
    one.items.add(dropped);
    file.files = one.files; // which is no change made by the user: no event follows
    open();
  });
})();
