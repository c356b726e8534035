! What is sold.
module shop
  implicit none
  integer, parameter :: limit = 16
  type :: item
    character(len=20) :: name
    real :: price = 0.5
  end type item
contains
  function total(items, rate) result(sum)
    type(item), intent(in) :: items(:)
    real, intent(in), optional :: rate
    real :: sum
    integer :: i
    sum = 0.0
    do i = 1, size(items)
      if (items(i)%price < 1.5 .and. i /= limit) then
        sum = sum + items(i)%price * 2.0e0
      else if (i > 3) then
        exit
      else
        cycle
      end if
    end do
    do while (sum > 10)
      sum = sum / 2
    end do
  end function total

  subroutine report(text)
    character(len=*), intent(in) :: text
    select case (len(text))
    case (0)
      print *, "nothing"
    case default
      write (*, *) 'text: ', text
    end select
  end subroutine report
end module shop

program main
  use shop
  type(item) :: items(2)
  items(1) = item("apple", 0.5)
  call report("two items")
  print *, total(items)
end program main
