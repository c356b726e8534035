;;; What is sold.
(defpackage :shop (:use :cl))
(in-package :shop)

#| Two
   lines. |#
(defstruct item name (price 0.5))

(defmacro while (test &body body)
  `(loop (unless ,test (return)) ,@body))

(defun total (items &key (rate 1.5) #'key)
  "What it costs."
  (let ((sum 0)
        (limit #x10))
    (dolist (item items sum)
      (cond ((null item) (error "no ~a" 'item))
            ((> (item-price item) limit) (return-from total -1))
            (t (incf sum (* rate (item-price item))))))
    (mapcar #'(lambda (x) (+ x 1)) '(1 2 (3 . 4)))
    (char= #\a #\space)))

(print (total (list (make-item :name "apple \"red\"") nil)))
(setf |odd name| #(1 2 3))
