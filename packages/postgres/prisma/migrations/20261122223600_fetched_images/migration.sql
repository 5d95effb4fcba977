-- Images that a vendor answers by address are fetched too. `task_id` is then the id of their request.
ALTER TABLE fetched_result DROP CONSTRAINT fetched_result_part_check;
ALTER TABLE fetched_result ADD CONSTRAINT fetched_result_part_check
  CHECK (part IN ('video', 'last_frame') OR part ~ '^image_[0-9]{1,4}$');
