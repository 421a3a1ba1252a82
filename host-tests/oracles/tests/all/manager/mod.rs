mod in_step;
